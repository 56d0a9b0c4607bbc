import type { JsonRecord } from '../../common/texts/json.js';
import { Bool, Id, Name, OneOf, StringList, Text } from '../../platform/http/bodies/fields.js';
import { ListQuery } from './list-query.field.js';
import { LISTED_KINDS, type ListedKind } from './listed-kinds.js';

const EXAMPLE = { status: 'planned,active', assignee_id: 'me' };
const COLUMNS = { description: 'The properties that clients show, such as title or metadata.severity.' };
const GROUP_BY = { max: 100, description: 'The property by which clients group.' };
const DEFAULT = {
  description: 'Whether clients open it first. The earlier default of its kind in the container ends.',
};

export class CreateViewDto {
  @Name({ required: true, example: 'My open tasks' })
  name: string;

  @OneOf(LISTED_KINDS, { required: true, example: 'task' })
  kind: ListedKind;

  @ListQuery({ required: true, example: EXAMPLE })
  query: JsonRecord;

  @StringList(COLUMNS)
  columns?: string[];

  @Text(GROUP_BY)
  group_by?: string;

  @Id('endeavour', { description: 'The endeavour whose members share it. Without a container, it is yours alone.' })
  endeavour_id?: string;

  @Id('organization', { description: 'The organization whose members share it.' })
  organization_id?: string;

  @Bool(DEFAULT)
  is_default?: boolean;
}

export class UpdateViewDto {
  @Name({ nullable: false })
  name?: string;

  @ListQuery({ nullable: false })
  query?: JsonRecord;

  @StringList({ nullable: false, ...COLUMNS })
  columns?: string[];

  @Text(GROUP_BY)
  group_by?: string | null;

  @Bool({ nullable: false, ...DEFAULT })
  is_default?: boolean;
}
