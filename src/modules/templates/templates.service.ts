import { Injectable } from '@nestjs/common';
import { Access, type Found } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Lineage, type Target } from '../../access/lineage.js';
import { fromWire } from '../../common/case.js';
import { forbidden, invalidField } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { Writes } from '../../platform/changes/writes.js';
import { assertNotBuiltIn, firstVersion, nextVersion } from '../../platform/database/lineage.js';
import type { Representation } from '../../platform/database/view.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import { describeFault } from './liquid/faults.js';
import { Renderer } from './liquid/renderer.js';
import type { CreateTemplateDto, ForkTemplateDto, UpdateTemplateDto } from './template.dto.js';
import { Template } from './template.entity.js';
import { templateList } from './template.list.js';
import { templateView } from './template.view.js';

/** Reusable texts with gaps. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly access: Access,
    private readonly lineage: Lineage,
    private readonly listing: Listing,
    private readonly renderer: Renderer,
    private readonly writes: Writes,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, templateList, query);
  }

  get(me: Caller, id: string): Promise<Representation> {
    return this.access.read(me, templateView, id);
  }

  chain(me: Caller, id: string): Promise<unknown[]> {
    return this.lineage.chain(me, templateView, id);
  }

  async create(me: Caller, dto: CreateTemplateDto): Promise<Representation> {
    await this.assertParses(dto.body);
    const home = await this.homeFor(me, dto.organization_id);
    if (home !== undefined) this.access.ready(home);
    const id = newId('template');
    return this.writes.create(me, templateView, Template, {
      row: { id, ...firstVersion(id), ...fromWire(dto), createdBy: me.resourceId },
      place: home?.place ?? { isGlobal: true },
      title: dto.name,
    });
  }

  async update(me: Caller, id: string, dto: UpdateTemplateDto): Promise<Representation> {
    await this.assertParses(dto.body);
    const opened = await this.access.open(me, 'templates_update', Template, id);
    this.access.ready(opened);
    assertNotBuiltIn(opened.row);
    const { metadata, ...sent } = dto;
    return this.writes.patch(me, templateView, Template, {
      current: opened.row,
      changes: { ...fromWire(sent), metadata: mergeMetadata(opened.row.metadata, metadata) },
      place: opened.place,
      pointer: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'template.status_changed'),
    });
  }

  /** A new template of its own, one version further; the source stays as it is. */
  async fork(me: Caller, id: string, dto: ForkTemplateDto): Promise<Representation> {
    await this.assertParses(dto.body);
    const { organization_id, ...sent } = dto;
    const source = await this.access.open(me, 'templates_fork', Template, id);
    const target = await this.lineage.target(me, 'templates_create', source, { organization_id }, { hasGlobal: true });
    this.access.ready({ ...target, row: source.row });
    return this.writes.create(me, templateView, Template, {
      row: { ...inherited(source.row), ...fromWire(sent), ...nextVersion(source.row), ...belonging(me, target) },
      place: target.place,
      title: dto.name ?? source.row.name,
      news: { type: 'template.forked' },
    });
  }

  private async homeFor(me: Caller, organizationId: string | undefined): Promise<Found | undefined> {
    if (organizationId !== undefined) {
      return this.access.named(me, 'templates_create', 'organization_id', organizationId, 'organization');
    }
    if (!me.isAdmin) throw forbidden('an administrator, or organization_id with the role admin there');
    return undefined;
  }

  private async assertParses(body: string | undefined): Promise<void> {
    const fault = body === undefined ? undefined : await this.renderer.faultOf(body);
    if (fault !== undefined) throw invalidField('body', 'invalid_format', describeFault('body', fault));
  }
}

function inherited({ name, description, scope, type, lang, body, metadata }: Template): Partial<Template> {
  return { name, description, scope, type, lang, body, metadata };
}

const belonging = (me: Caller, { place }: Target) => ({
  id: newId('template'),
  origin: 'fork',
  organizationId: place.organizationId ?? null,
  createdBy: me.resourceId,
});
