import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const kimiFields: Fields = fieldsNamed({
  record: `activeToolNames agentId agentsMdPaths callerAgentId content contextTokens created_at description
    disallowedTools durationMs entries entry environmentDisclosure event finishedAt hash input kind length
    maxTokens message messageCount mode model modelAlias origin outcome parentAgentId parentToolCallId path phase
    profileName promptId protocol_version provider queueItemId reason resultSummary runInBackground runtimeId
    subagentId subagentName subagents systemPrompt systemPromptHash taskId thinkingEffort time tokens toolSelect
    tools toolsHash turnId turnStep type usage usageScope workspaceId`,
  message: `content id message meta origin role toolCalls`,
  event: `args display finishReason llmClientBlockedMs llmClientConsumeMs llmFirstTokenLatencyMs llmRequestBuildMs
    llmServerDecodeMs llmServerFirstTokenMs llmStreamDurationMs messageId name parentUuid part
    providerFinishReason rawFinishReason result step stepUuid toolCallId turnId type usage uuid`,
});
