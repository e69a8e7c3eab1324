/** Schemas that this package froze, and so cannot change, with their compiled form: their text need not be made again. @type {WeakMap<object, import("./native.cjs").InputSchema>} */
const compiled = new WeakMap();

/**
 * Remembers the compiled form of a deeply frozen schema.
 * @param {object} schema
 * @param {import("./native.cjs").InputSchema} form
 */
export function rememberCompiled(schema, form) {
  compiled.set(schema, form);
}

/** @param {object} schema */
export function compiledForm(schema) {
  return compiled.get(schema);
}
