import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const qwenFields: Fields = fieldsNamed({
  record: `agentId agentName agentRound agentRunId cwd isSidechain message model parentUuid provenance sessionId subtype
    systemPayload timestamp toolCallResult type usageMetadata uuid version`,
  message: `parts role`,
});
