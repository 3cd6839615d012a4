import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const piFields: Fields = fieldsNamed({
  record: `configured customType cwd data firstKeptEntryId forkedFrom id message model modelId pad parentId provider reason resolvedModelIsFallback
    spawnedBy thinkingLevel timestamp title type updatedAt v version`,
  message: `__openclaw api attribution completedAt content contextSnapshot details duration idempotencyKey isError model openclawDelivery provider responseId
    role stopReason timestamp toolCallId toolName ttft usage`,
});
