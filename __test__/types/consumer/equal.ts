/** `true` when two types are the same to the compiler, `any` and `readonly` told apart. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export type Expect<T extends true> = T;
/** A place to say `holds<Expect<Equal<…>>>()`. */
export function holds<T extends true>(): T | undefined {
  return undefined;
}
