import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields that logs of its versions so far have. */
export const qwenFields: Fields = fieldsNamed({
  record: `agentId agentName agentRound agentRunId cwd isSidechain message model parentUuid provenance sessionId subtype
    systemPayload timestamp toolCallResult type usageMetadata uuid version`,
  message: `parts role`,
});
