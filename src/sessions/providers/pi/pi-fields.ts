import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields that logs of its versions so far have. */
export const piFields: Fields = fieldsNamed({
  record: `cwd id message modelId parentId provider thinkingLevel timestamp type version`,
  message: `api content details isError model provider responseId role stopReason timestamp toolCallId toolName usage`,
});
