import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Lineage, type ForkTarget } from '../../access/visibility/lineage.js';
import { fromWire } from '../../common/texts/case.js';
import { administratorRequired, invalidField } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { ResourceScope } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { assertNotBuiltIn, firstVersion, nextVersion } from '../../platform/database/views/lineage.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergedChanges } from '../../platform/http/bodies/metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { describeTemplateError } from './liquid/template-errors.js';
import { Renderer } from './liquid/renderer.js';
import type { CreateTemplateDto, ForkTemplateDto, UpdateTemplateDto } from './template.dto.js';
import { Template } from './template.entity.js';
import type { TemplateContainer } from './template.lifecycle.js';
import { templateList } from './template.list.js';
import { templateView } from './template.view.js';

/** Manages report templates. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly access: Access,
    private readonly lineage: Lineage,
    private readonly listing: Listing,
    private readonly renderer: Renderer,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, templateList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, templateView, id, { fields });
  }

  chain(me: Caller, id: string): Promise<unknown[]> {
    return this.lineage.chain(me, templateView, id);
  }

  async create(me: Caller, dto: CreateTemplateDto): Promise<Representation> {
    await this.assertParses(me, dto.body);
    const place = await this.placeFor(me, dto);
    const id = newId('template');
    return this.writer.create(me, templateView, Template, {
      row: { id, ...firstVersion(id), ...fromWire(dto), container: containerOf(place), createdBy: me.resourceId },
      place,
      title: dto.name,
    });
  }

  async update(me: Caller, id: string, dto: UpdateTemplateDto): Promise<Representation> {
    await this.assertParses(me, dto.body);
    const opened = await this.access.lockForUpdate(me, 'templates_update', Template, id);
    this.access.assertWritable(opened);
    assertNotBuiltIn(opened.row);
    return this.writer.patch(me, templateView, Template, {
      current: opened.row,
      changes: mergedChanges(opened.row, dto),
      place: opened.place,
      entityChanges: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'template.status_changed'),
    });
  }

  /** Creates a template with the next version; the source stays unchanged. */
  async fork(me: Caller, id: string, dto: ForkTemplateDto): Promise<Representation> {
    await this.assertParses(me, dto.body);
    const { organization_id, ...sent } = dto;
    const source = await this.access.lockForUpdate(me, 'templates_fork', Template, id);
    const target = await this.lineage.target(me, 'templates_create', source, { organization_id }, { hasGlobal: true });
    this.access.assertWritable({ ...target, row: source.row });
    return this.writer.create(me, templateView, Template, {
      row: { ...inherited(source.row), ...fromWire(sent), ...nextVersion(source.row), ...identityOf(me, target) },
      place: target.place,
      title: dto.name ?? source.row.name,
      event: { type: 'template.forked' },
    });
  }

  /** The container of a new template: as requested; by default, global for administrators and personal for others. */
  private async placeFor(me: Caller, { organization_id, container }: CreateTemplateDto): Promise<ResourceScope> {
    if (organization_id !== undefined) {
      if (container !== undefined && container !== 'organization') {
        throw invalidField('container', 'invalid_value', 'container must be organization if organization_id is set.');
      }
      const home = await this.access.resolveReference(
        me,
        'templates_create',
        'organization_id',
        organization_id,
        'organization',
      );
      this.access.assertWritable(home);
      return home.place;
    }
    if (container === 'organization') {
      throw invalidField(
        'organization_id',
        'required',
        'organization_id is required for a template of an organization.',
      );
    }
    if (container === 'personal' || (container === undefined && !me.isAdmin)) return { ownerUserId: me.userId };
    if (!me.isAdmin) throw administratorRequired();
    return { isGlobal: true };
  }

  private async assertParses(me: Caller, body: string | undefined): Promise<void> {
    const error = body === undefined ? undefined : await this.renderer.syntaxErrorOf(me.userId, body);
    if (error !== undefined) throw invalidField('body', 'invalid_format', describeTemplateError('body', error));
  }
}

function inherited({ name, description, scope, type, lang, body, metadata }: Template): Partial<Template> {
  return { name, description, scope, type, lang, body, metadata };
}

const identityOf = (me: Caller, { place }: ForkTarget) => ({
  id: newId('template'),
  origin: 'fork',
  organizationId: place.organizationId ?? null,
  container: containerOf(place),
  createdBy: me.resourceId,
});

function containerOf({ organizationId, isGlobal }: ResourceScope): TemplateContainer {
  if (organizationId !== undefined && organizationId !== null) return 'organization';
  return isGlobal === true ? 'global' : 'personal';
}
