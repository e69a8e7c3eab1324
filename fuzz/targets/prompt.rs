//! Answers to `prompts/get`, as skeletons.
#![no_main]

use rejelly_adapter_mcp::result::{check_prompt, pieces::Plan, plan_prompt};
use rejelly_adapter_mcp_fuzz::{RESULT, assert_one_line, assert_plan, json_target};

json_target!(RESULT, |texts| {
    for text in texts {
        let plan = plan_prompt(text);
        assert_plan(&plan, text);
        assert_eq!(plan_prompt(text), plan);
        match (check_prompt(text), &plan) {
            (Ok(()), Plan::Text(_) | Plan::Parts(_)) => {}
            (Err(message), Plan::Unreadable(same)) => {
                assert_eq!(message, *same);
                assert_one_line(&message);
            }
            other => panic!("the check and the plan disagree: {other:?}"),
        }
    }
});
