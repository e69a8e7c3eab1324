/** What the tests of results share. */

/** A PNG of one pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Core's mark, as the contract has it. */
export const toolContent = (parts) => ({ $rejellyContent: parts });

export const text = (value) => ({ type: "text", text: value });
export const image = (url) => ({ type: "image", image: { url } });
export const parts = (...list) => toolContent(list);

/** Every string in a value, keys included. */
export function stringsIn(value) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsIn(member)]);
}

/** The text a model reads in an answer. */
export function textsIn(answer) {
  if (typeof answer === "string") return [answer];
  return answer.$rejellyContent.filter((part) => part.type === "text").map((part) => part.text);
}

/** @returns the error that `work` throws */
export function thrown(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("expected a throw");
}
