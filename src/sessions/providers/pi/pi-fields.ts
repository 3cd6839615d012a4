import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far, and those of the published format of pi 1.5.0. */
export const piFields: Fields = fieldsNamed({
  record: `agent configured content customType cwd data details display firstKeptEntryId forkedFrom fromHook fromId id
    kind label message model modelId name pad parentId parentSession provider readOnly reason replacement
    resolvedModel resolvedModelIsFallback spawnedBy spawns summary systemMessage systemPrompt targetId task
    thinkingLevel timestamp title tokensBefore tools type updatedAt usage v version`,
  message: `__openclaw api attribution completedAt content contextSnapshot details duration idempotencyKey isError model
    openclawDelivery provider rawStopReason responseId role sections stopReason thinkingLevel timestamp
    toolCallId toolName toolsAdded toolsRemoved ttft usage`,
});
