import { Int, Keyword } from '../../../platform/http/bodies/fields.js';

const Limit = () =>
  Int({ min: -1, max: 1_000_000_000, nullable: false, description: 'The maximum number; -1 means unlimited.' });

export class UpdateTierDto {
  @Keyword({ nullable: false, example: 'professional' })
  name?: string;

  @Limit()
  max_orgs?: number;

  @Limit()
  max_active_endeavours?: number;

  @Limit()
  max_endeavours_per_org?: number;

  @Limit()
  max_agents_per_org?: number;

  @Limit()
  max_teams_per_org?: number;

  @Limit()
  max_creations_per_hour?: number;
}
