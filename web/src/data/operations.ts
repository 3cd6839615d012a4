import type { z } from 'zod';
import type { OPERATIONS } from '../../../src/app/operations.ts';

type Declared = (typeof OPERATIONS)[number];
type ByName = { readonly [Operation in Declared as Operation['name']]: Operation };

export type OperationName = keyof ByName;

/** What an operation returns. The page declares no shapes of its own, so a renamed field breaks its build. */
export type DataOf<Name extends OperationName> = ByName[Name] extends {
  text(data: infer Data, style: never): string;
}
  ? Data
  : never;

/** Zod types an object without fields so that it refuses every field. */
type Fields<Shape extends z.ZodObject> = keyof Shape['shape'] extends never ? unknown : z.input<Shape>;

/** What an operation takes. */
export type InputOf<Name extends OperationName> = Fields<ByName[Name]['input']> & {
  /** For paginated operations. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
};
