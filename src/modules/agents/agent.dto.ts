import { Id, JsonObject, Language, Name, OneOf } from '../../platform/http/bodies/fields.js';
import { AGENT_STATUSES, type AgentStatus } from './agent.view.js';

export class CreateAgentDto {
  @Name({ required: true, example: 'Triage' })
  name: string;

  @Id('organization', { required: true, description: 'The organization that the agent belongs to.' })
  organization_id: string;

  @Language()
  lang?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateAgentDto {
  @Name({ nullable: false })
  name?: string;

  @OneOf(AGENT_STATUSES, { nullable: false, description: 'The access tokens of a paused agent do not work.' })
  status?: AgentStatus;
}
