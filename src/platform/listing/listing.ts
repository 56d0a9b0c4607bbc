import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { Page } from '../http/responses/page.js';
import { ResponseBufferLimiter } from '../http/server/response-buffer-limiter.js';
import type { RawQuery } from '../http/requests/query-parameters.js';
import { sealCursor } from './cursor.js';
import type { ListDefinition, ListRequest } from './definition.js';
import { ListStreams } from './list-streams.js';
import { PageReader } from './page-reader.js';
import type { Viewer } from './list-condition.js';
import { listName, readListRequest } from './request.js';

/** Reads one page of a declared list, or sends the complete list if requested. */
@Injectable()
export class Listing {
  private readonly cursorKey = this.secrets.keyFor('cursor');

  constructor(
    private readonly database: Database,
    private readonly reader: PageReader,
    private readonly secrets: Secrets,
    private readonly settings: Settings,
    private readonly streams: ListStreams,
    private readonly unread: ResponseBufferLimiter,
  ) {}

  /** Parses the query by the list definition; rejects it with all errors at once. */
  read(definition: ListDefinition, raw: RawQuery): ListRequest {
    return readListRequest(definition, raw.query, this.cursorKey, raw);
  }

  page(me: Viewer, definition: ListDefinition, raw: RawQuery): Promise<Page> {
    return this.pageOf(me, definition, this.read(definition, raw));
  }

  /** The time limit of a search: beyond it, clients have given up and others need the database. */
  async pageOf(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<Page> {
    const { format } = request;
    if (format !== undefined) return this.streams.stream(me, definition, { ...request, format });
    this.unread.admit(me.userId);
    if (request.search === undefined) return this.readPage(me, definition, request);
    return this.database.snapshot(this.settings.SEARCH_TIMEOUT_MS / 1_000, async () =>
      this.readPage(me, definition, await this.reader.prepared(me, definition, request)),
    );
  }

  private async readPage(me: Viewer, definition: ListDefinition, request: ListRequest): Promise<Page> {
    const { limit, offset, sort } = request;
    const { items, total, isMore, next } = await this.reader.read(me, definition, request);
    const next_cursor = next === undefined ? null : sealCursor(this.cursorKey, listName(definition, sort), next);
    return new Page(items, { total, ...(isMore && { total_is: 'at_least' as const }), limit, offset, next_cursor });
  }
}
