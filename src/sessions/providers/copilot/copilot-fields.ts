import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const copilotFields: Fields = fieldsNamed({
  record: `agentId data id parentId timestamp type`,
  data: `accountingSnapshot agentDescription agentDisplayName agentMetrics agentName agentType alreadyInUse apiCallId
    arguments codeChanges content contentBlocks context contextTier conversationTokens copilotVersion currentModel
    currentTokens delivery durationMs eventCount eventsFileSizeBytes executionMode fileEdits firstDispatchedModel
    interactionId messageId metadata model modelMetrics modelSelectionSource multiTurn newModel
    originatingMessageId parentAgentTaskId parentToolCallId producer providerModelMetrics reasoningEffort
    reasoningText remoteSteerable result resumable resumeTime role rte selectedModel sessionId sessionLimits
    sessionStartTime sessionWasActive shellExecution shellToolInfo shutdownType source startTime success
    supportedNativeDocumentMimeTypes systemTokens taskModelSource toolCallId toolDefinitionsTokens toolName
    toolRequests toolTelemetry toolTitle tools totalApiDurationMs totalNanoAiu totalPremiumRequests totalTokens
    totalToolCalls transformedContent turnId usage usageAccountingWatermarks version`,
});
