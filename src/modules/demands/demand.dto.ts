import { Id, JsonObject, Name, OneOf, ResourceRef, Text, When, Word } from '../../platform/http/fields.js';
import { demandLifecycle, PRIORITIES, type DemandStatus, type Priority } from './demand.lifecycle.js';

export class CreateDemandDto {
  @Word({
    required: true,
    pattern: /^[a-z][a-z0-9_-]{0,99}$/,
    example: 'story',
    description: 'story, bug, spike, chore, epic, feature, task, requirement, or another word.',
  })
  type: string;

  @Name({ required: true, example: 'Visitors find the exit' })
  title: string;

  @Id('endeavour', { required: true })
  endeavour_id: string;

  @Text()
  description?: string;

  @OneOf(PRIORITIES, { description: 'medium unless given.' })
  priority?: Priority;

  @When({ description: 'A day ends with its last second in the zone of the endeavour.' })
  due_date?: string;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateDemandDto {
  @Name({ nullable: false })
  title?: string;

  @Text()
  description?: string | null;

  @OneOf(PRIORITIES, { nullable: false })
  priority?: Priority;

  @When()
  due_date?: string | null;

  @ResourceRef({ description: 'null hands the demand back to its creator; to you, where the creator has left.' })
  owner_id?: string | null;

  @OneOf(demandLifecycle.statuses, { nullable: false, example: 'in_progress' })
  status?: DemandStatus;

  @Text({ description: 'Needed for, and only accepted with, the status canceled.' })
  canceled_reason?: string | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
