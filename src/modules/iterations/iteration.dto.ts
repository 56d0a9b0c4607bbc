import { DayField, Id, Name, OneOf, Text } from '../../platform/http/bodies/fields.js';

const STATUS = 'active starts it; POST /iterations/{id}/close closes it.';

export class CreateIterationDto {
  @Name({ required: true, example: 'Sprint 12' })
  name: string;

  @Text({ description: 'What it is to achieve.' })
  goal?: string;

  @Id('endeavour', { required: true, isUsual: true })
  endeavour_id: string;

  @DayField({ required: true, example: '2026-01-05', description: 'The first day in the time zone of the endeavour.' })
  start_day: string;

  @DayField({ required: true, example: '2026-01-16', description: 'The last day in the time zone of the endeavour.' })
  end_day: string;
}

export class UpdateIterationDto {
  @Name({ nullable: false })
  name?: string;

  @Text()
  goal?: string | null;

  @DayField({ nullable: false })
  start_day?: string;

  @DayField({ nullable: false })
  end_day?: string;

  @OneOf(['planned', 'active'], { nullable: false, example: 'active', description: STATUS })
  status?: 'planned' | 'active';
}
