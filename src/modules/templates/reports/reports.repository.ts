import { Injectable } from '@nestjs/common';
import { leftJoinEndeavour } from '../../../access/visibility/containers.view.js';
import { homeOrganizationOf } from '../../../access/memberships/home.js';
import { Database } from '../../../platform/database/database.js';
import type { TemplateScope } from '../template.lifecycle.js';
import { variablesStatement, type Variables } from './report-variables.view.js';

/** The properties of a template that rendering needs. */
export interface TemplateSource {
  id: string;
  name: string;
  scope: TemplateScope;
  type: string;
  lang: string;
  body: string;
}

/** The criteria for the template of a report. */
interface Preferences {
  scope: TemplateScope;
  /** The languages in lower case, preferred first. */
  languages: readonly string[];
  organizationId: string | null;
}

const SOURCE = 'SELECT p.id, p.name, p.scope, p.type, p.lang, p.body FROM templates p';

/** Reads templates and the values of their variables. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  findTemplate(id: string): Promise<TemplateSource | undefined> {
    return this.database.one<TemplateSource>(`${SOURCE} WHERE p.id = $1`, [id]);
  }

  /** The language of the entity's endeavour, and its home organization. */
  findHome(id: string): Promise<{ lang: string | null; organizationId: string | null } | undefined> {
    return this.database.one(
      `SELECT e.lang, coalesce(x.organization_id, ${homeOrganizationOf('x.endeavour_id')}) AS "organizationId"
       FROM entities x ${leftJoinEndeavour('e', 'x.endeavour_id')} WHERE x.id = $1`,
      [id],
    );
  }

  /** The newest active report template of the organization, or a global one, in the first available language. */
  findNewest({ scope, languages, organizationId }: Preferences): Promise<TemplateSource | undefined> {
    return this.database.one<TemplateSource>(
      `${SOURCE} JOIN entities x ON x.id = p.id AND x.deleted_at IS NULL
       WHERE p.scope = $1 AND p.type = 'report' AND p.status = 'active' AND lower(p.lang) = ANY($2::text[])
         AND (p.organization_id = $3 OR x.is_global)
       ORDER BY (p.organization_id IS NULL), array_position($2::text[], lower(p.lang)), p.created_at DESC, p.id DESC LIMIT 1`,
      [scope, languages, organizationId],
    );
  }

  /** The values of the variables for the entity with the visibility of the user; a JSON object as text. */
  async readVariables(variables: Variables, user: string, { id, now }: { id: string; now: Date }): Promise<string> {
    const sql = variablesStatement(variables);
    const row = await this.database.one<{ variables: string }>(sql, [user, id, now.toISOString()]);
    if (row === undefined) throw new Error('the aggregate returned no row');
    return row.variables;
  }
}
