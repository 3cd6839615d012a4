import { type Fields, fieldsNamed } from '../record-fields.ts';

/** Fields seen in the logs of all versions so far. */
export const codexFields: Fields = fieldsNamed({
  record: `arguments call_id content created_at encrypted_content function git id instructions message metadata model
    name ordinal output payload record_type result role summary timestamp type`,
  payload: `account_scoped action action_name active_permission_profile agent_nickname agent_path agent_role agent_statuses
    agent_thread_id aggregated_output app_name approval_policy approvals_reviewer arguments audio author
    base_instructions callId call_id changes cli_version client_id codex_error_info collaboration_mode
    collaboration_mode_kind command comp_hash compaction_response_id completed_at completed_at_ms connector_id
    content content_items context_window current_date cwd decision_source developer_instructions
    disabled_plugin_ids duration duration_ms dynamic_tools effort encrypted_content error event_id execution
    exit_code file_system_sandbox_policy final_output_json_schema first_window_id forked_from_id
    forked_from_ordinal_exclusive formatted_output full function ghost_commit git goal history_base history_mode
    id images info input instructions internal_chat_message_metadata_passthrough invocation item item_id kind
    last_agent_message latest_token_usage_record link_id local_audio local_images memory_citation memory_mode
    message metadata model model_context_window model_provider multi_agent_mode multi_agent_version name namespace
    new_agent_nickname new_agent_role new_thread_id occurred_at_ms originator output parent_thread_id parsed_cmd
    path payload permission_profile personality phase plugin_id previous_window_id process_id prompt query
    rate_limits rationale read_only_hint realtime_active reason reasoning_effort receiver_agent_nickname
    receiver_agent_role receiver_thread_id recipient replacement_history replacement_history_metadata response_id
    result results resume_metadata retained_context review_output revised_prompt risk_level role root_turn_id
    runtime_workspace_roots sandbox_policy saved_path sender_thread_id session_id source started_at started_at_ms
    state status statuses stderr stdout success summary target target_item_id text text_elements threadId
    thread_id thread_name thread_settings thread_source thread_token_usage time_to_first_token_ms timestamp
    timezone tool tools trigger_turn truncation_policy turnId turn_attribution turn_id turn_token_usage type usage
    user_authorization user_facing_hint user_instructions window_id window_number workspace_roots`,
});
