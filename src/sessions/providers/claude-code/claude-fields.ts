import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const claudeFields: Fields = fieldsNamed({
  record: `agentId agentName aiTitle apiBlockIndex apiErrorStatus apiRefusalCategory apiRefusalExplanation atis
    attachment attributionAgent attributionMcpServer attributionMcpTool attributionPlugin attributionSkill base
    bridgeSessionId cacheControl cause classifierMetaLines compactMetadata content customTitle cwd data direction
    durationMs effort entrypoint error errorDetails fallbackModel frameUrl gitBranch hash hasOutput hasUnknownModelCost
    hookAdditionalContext hookCount hookErrors hookInfos id imagePasteIds input interruptedByShutdown
    interruptedMessageId isAbortedMidStream isApiErrorMessage isCompactSummary isMeta isSidechain isSnapshotUpdate
    isVisibleInTranscriptOnly keep key lastPrompt lastSequenceNum leafUuid level logicalParentUuid madeBy maxRetries
    mcpMeta message messageCount messageId microcompactMetadata mode modelUsage name operation origin
    originalModel output ownerAccountUuid ownerOrganizationUuid params parentToolUseID parentUuid path
    pendingBackgroundAgentCount perTurnEffort permissionDecision permissionMode planContent prNumber prRepository
    prUrl preventedContinuation project promptCacheRequested promptId promptSource querySource
    queueSkipAttachments refusedUserMessageUuid relocatedCwd rendered renderedBesideToolResult renderedRole
    requestDigest requestId requestRef requestedModel result retractedMessageUuids retryAttempt retryInMs
    sandboxed scope sessionId sessionKind session_id shape shapeHash slug snapshot source sourceToolAssistantUUID
    sourceToolUseID startTime stopReason subtype summary supersedesUuids tail thinkingDisplay thinkingDurationMs
    thinkingMetadata timestamp title todos toolDenialKind toolEndsTurn toolInputStreamMs toolUseID toolUseResult
    tools totalAPIDuration totalAPIDurationWithoutRetries totalCostUSD totalDuration totalLinesAdded
    totalLinesRemoved totalToolDuration trigger turnCompanion turnOrigin turnPosition type userType uuid version
    worktreeSession`,
  message: `container content context_management diagnostics id model output_config role stop_details stop_reason
    stop_sequence type usage`,
});
