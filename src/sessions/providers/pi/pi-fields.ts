import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const piFields: Fields = fieldsNamed({
  record: `configured customType cwd data id message model modelId pad parentId provider resolvedModelIsFallback
    thinkingLevel timestamp title type updatedAt v version`,
  message: `api attribution completedAt content contextSnapshot details duration isError model provider responseId
    role stopReason timestamp toolCallId toolName ttft usage`,
});
