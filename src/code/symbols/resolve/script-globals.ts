/** What browsers provide, and the globals of test runners. */
const OTHERS =
  /^(?:document|window|navigator|location|history|localStorage|sessionStorage|Deno|Bun|HTMLElement|self|expect|expectTypeOf|assert|jest|vi|cy|sinon)$/;

/** Whether a name that nothing declares is one that programs find in every file. */
export function isGlobal(name: string): boolean {
  return name in globalThis || OTHERS.test(name);
}
