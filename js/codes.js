import { native } from "./binding.js";

/** JSON-RPC error codes that this package tells apart; the numbers come from rmcp's model. */
export const ErrorCode = Object.freeze({ methodNotFound: native.methodNotFoundCode() });
