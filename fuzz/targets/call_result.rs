//! Answers to `tools/call`, as skeletons.
#![no_main]

use rejelly_adapter_mcp::result::{check_call, pieces::Plan, plan_call};
use rejelly_adapter_mcp_fuzz::{RESULT, assert_one_line, assert_plan, json_target};

json_target!(RESULT, |texts| {
    for text in texts {
        let plan = plan_call(text);
        assert_plan(&plan, text);
        assert_eq!(plan_call(text), plan);
        match check_call(text) {
            Ok(()) => assert!(!matches!(plan, Plan::Invalid(_)), "sound, and refused all the same: {plan:?}"),
            Err(error) => assert_one_line(&error.message),
        }
        assert!(!matches!(plan, Plan::Unreadable(_)), "a call's result has codes: {plan:?}");
    }
});
