import type { TestApp, Person } from '../support/test-app.js';
import type { Act } from './acts.js';
import type { Model } from './model.js';

const POSTS = /^\/(?:organizations|endeavours)\/(\w+)\/(?:members|resources|endeavours)$/;
const DELETES =
  /^\/(?:organizations|endeavours)\/(\w+)\/(?:members|resources|endeavours)\/(\w+)(?:\?keep_endeavours=false&keep_links=false)?$/;

const isEndeavour = (id: string): boolean => id.startsWith('edv_');
const kindOf = (id: string): string =>
  isEndeavour(id) ? 'endeavour' : id.startsWith('org_') ? 'organization' : 'resource';

/** The same membership or link as a relation. */
function asRelation(container: string, member: string): Record<string, string> {
  const isOf = isEndeavour(container) || isEndeavour(member);
  const [source, target] = isOf ? [member, container] : [container, member];
  return {
    relationship_type: isOf ? 'belongs_to' : 'has_member',
    source_entity_type: kindOf(source),
    source_entity_id: source,
    target_entity_type: kindOf(target),
    target_entity_id: target,
  };
}

/** Translates acts on memberships and links into acts on the relations that represent them. */
export class RelationRoute {
  constructor(
    private readonly app: TestApp,
    private readonly model: Model,
    private readonly actors: Record<string, Person>,
  ) {}

  /** The same act on a relation; the act itself if it adds or removes no membership. */
  async translate(act: Act): Promise<Act> {
    const [, container, member] = (act.method === 'delete' ? DELETES : POSTS).exec(act.path) ?? [];
    if (container === undefined || (act.method !== 'delete' && act.method !== 'post')) return act;
    return act.method === 'delete' ? this.deleting(act, container, member) : this.creating(act, container);
  }

  private async creating(act: Act, container: string): Promise<Act> {
    const { user_id, resource_id, endeavour_id, role } = act.body as Record<string, string>;
    const relation = asRelation(container, this.resourceOf(user_id ?? resource_id ?? endeavour_id));
    const isDone = act.status < 300;
    const isThere = (await this.idOf(relation)) !== undefined;
    return {
      ...act,
      path: '/relations',
      body: { ...relation, ...(role !== undefined && { metadata: { role } }) },
      status: isDone ? (isThere ? 409 : 201) : act.status === 404 ? 400 : act.status,
    };
  }

  private async deleting(act: Act, container: string, member: string): Promise<Act> {
    const id = await this.idOf(asRelation(container, this.resourceOf(member)));
    if (id === undefined) return act;
    return { ...act, path: `/relations/${id}`, status: this.isSeen(act.who, container, member) ? act.status : 404 };
  }

  private isSeen(who: string, container: string, member: string): boolean {
    const endeavour = this.model.endeavours.get(isEndeavour(member) ? member : container);
    return endeavour === undefined ? this.model.rankIn(container, who) > 0 : this.model.role(endeavour, who) > 0;
  }

  private resourceOf(id: string): string {
    return Object.values(this.actors).find((person) => person.id === id)?.resourceId ?? id;
  }

  private async idOf({
    relationship_type,
    source_entity_id,
    target_entity_id,
  }: Record<string, string>): Promise<string | undefined> {
    const [row] = await this.app.database.query<{ id: string }>(
      `SELECT id FROM membership_relations
       WHERE relationship_type = $1 AND source_entity_id = $2 AND target_entity_id = $3`,
      [relationship_type, source_entity_id, target_entity_id],
    );
    return row?.id;
  }
}
