import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { invalidField } from '../../common/errors.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { Renderer } from './liquid/renderer.js';
import { CreateTemplateDto, UpdateTemplateDto } from './template.dto.js';
import { Template } from './template.entity.js';
import type { TemplateStatus } from './template.lifecycle.js';
import { templateView } from './template.view.js';

/** A template that comes from another system. */
export interface ImportedTemplate {
  id: string;
  dto: CreateTemplateDto;
  status: TemplateStatus;
  version: number;
  origin: string;
  predecessorId: string | null;
  lineageId: string;
  createdAt: Date;
  createdBy: string;
}

/** Creates templates of an organization that come from another system. */
@Injectable()
export class ImportedTemplates {
  /** Validates the body as POST does. */
  readonly read = bodyReaderFor(CreateTemplateDto, 'create');
  /** Validates the body as PATCH does. */
  readonly readChanges = bodyReaderFor(UpdateTemplateDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly renderer: Renderer,
  ) {}

  /** Rejects a body that is not a valid template. */
  async assertParses(me: Caller, { body }: CreateTemplateDto): Promise<void> {
    const error = await this.renderer.syntaxErrorOf(me.userId, body);
    if (error !== undefined) throw invalidField('body', 'invalid_format', 'body is not a valid template.');
  }

  /** Creates at most a thousand valid templates. */
  async createAll(me: Caller, organizationId: string, templates: readonly ImportedTemplate[]): Promise<void> {
    const rows = templates.map(({ dto, ...template }) => ({
      ...template,
      name: dto.name,
      description: dto.description ?? null,
      scope: dto.scope,
      type: dto.type ?? 'report',
      lang: dto.lang ?? 'en',
      body: dto.body,
      organizationId,
      container: 'organization' as const,
      metadata: dto.metadata ?? {},
      updatedAt: new Date(),
      revision: 1,
    }));
    await this.bulkCreator.createAll(
      me,
      templateView,
      Template,
      rows.map((row) => ({ row, place: { organizationId }, title: row.name })),
    );
  }
}
