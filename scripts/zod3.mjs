/** `node --import ./scripts/zod3.mjs …` runs a script as an application that has zod 3.25 installed instead of zod 4. */
import { register } from "node:module";

const hooks = `
  export function resolve(specifier, context, next) {
    return next(/^zod(\\/|$)/.test(specifier) ? specifier.replace("zod", "zod3") : specifier, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
