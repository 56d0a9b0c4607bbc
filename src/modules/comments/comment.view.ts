import { joinResource } from '../../access/visibility/people.view.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  anyId,
  defineView,
  id,
  json,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  rowsAsJson,
  schemaOf,
  text,
  time,
  integer,
  type Wire,
} from '../../platform/database/views/view.js';
import { COMMENTED_KINDS } from './comment.entity.js';

const viewOf = (alias: string) =>
  defineView({
    name: 'Comment',
    kind: 'comment',
    table: 'comments',
    alias,
    // A new comment has no replies.
    whenRead: ({ revision, body }) => (revision === 1 ? `${body.slice(0, -1)},"replies":[]}` : null),
    joins: joinResource('author', `${alias}.author_id`),
    people: {
      properties: ['author_id'],
      others: `ARRAY(SELECT q.resource_id FROM entity_people q
        WHERE q.entity_id IN (${alias}.entity_id, ${alias}.reply_to_id))`,
    },
    fields: {
      id: id(`${alias}.id`, 'comment'),
      entity_type: oneOf(`${alias}.entity_type`, COMMENTED_KINDS),
      entity_id: anyId(`${alias}.entity_id`),
      reply_to_id: nullable(id(`${alias}.reply_to_id`, 'comment')),
      content: written(
        withoutEventValue(
          nullable(
            text(
              `CASE WHEN ${alias}.deleted_at IS NULL THEN ${alias}.content END`,
              'The text, in Markdown; null after the comment has been deleted.',
            ),
          ),
        ),
        'personal',
        'redactable',
        'searchedText',
      ),
      author_id: id(`${alias}.author_id`, 'resource'),
      author_name: withoutEventValue(text('author.name')),
      metadata: written(
        withoutEventValue(
          metadata(`CASE WHEN ${alias}.deleted_at IS NULL THEN ${alias}.metadata ELSE '{}'::jsonb END`),
        ),
        'personal',
        'redactable',
      ),
      edited_at: nullable(time(`${alias}.edited_at`)),
      deleted_at: nullable(time(`${alias}.deleted_at`)),
      created_at: time(`${alias}.created_at`),
      updated_at: time(`${alias}.updated_at`),
      revision: integer(`${alias}.revision`),
    },
  });

/** The representation of a comment in lists, events and exports. */
export const commentView = viewOf('c');
type CommentView = Wire<typeof commentView>;

const reply = rowsAsJson(viewOf('r'), 'comments r');
const replies = `coalesce((
  SELECT json_agg(answer.body ORDER BY answer.created_at, answer.id)
  FROM (SELECT r.created_at, ${reply.select} FROM ${reply.from} WHERE r.reply_to_id = c.id) answer), '[]'::json)`;

/** The representation of a comment with all of its replies, oldest first. */
export const commentThreadView = defineView({
  ...commentView,
  whenRead: undefined,
  name: 'CommentThread',
  fields: {
    ...commentView.fields,
    replies: json<CommentView[]>(replies, { type: 'array', items: schemaOf(commentView) }),
  },
});

/** The representation of the text of a comment before an edit. */
export const commentTextView = defineView({
  name: 'CommentText',
  kind: 'comment',
  table: 'comment_texts',
  alias: 'h',
  joins: '',
  fields: {
    content: text('h.content'),
    written_at: time('h.written_at'),
    replaced_at: time('h.replaced_at'),
  },
});
