import { permissionOf, type OperationId } from './permissions.js';
import { needsSession, scopeOf } from './scopes.js';

/** Who can call an operation, and with which access tokens, in sentences. */
export const accessText = (operation: OperationId): string =>
  [accessSentence(operation), tokenNote(operation)].filter(Boolean).join('\n\n');

function accessSentence(operation: OperationId): string {
  const { door, role, note } = permissionOf(operation);
  if (door === 'public') return 'No access token is needed.';
  if (door === 'administrator') return 'Only administrators can call it.';
  const more = note === undefined ? '' : `; ${note}`;
  if (role !== undefined) return `You need the \`${role}\` role or a higher one there${more}.`;
  return note === undefined ? 'Any signed-in user can call it.' : `Who can call it: ${note}.`;
}

/** What the usual operations do, for those that do nothing else. */
export function usualDescription(summary: string): string {
  const [verb, ...words] = summary.split(' ');
  const what = words.join(' ');
  const does: Record<string, string> = {
    List: `Returns the ${what} that you may see, page by page.`,
    Get: `Returns the ${what}.`,
    Create: `Creates the ${what} and returns it.`,
    Update: `Changes the properties that are sent (a merge patch), and returns the ${what}.`,
    Delete: `Deletes the ${what}.`,
  };
  return does[verb] ?? `${summary}.`;
}

/** What an access token needs for it, for the documents. */
function tokenNote(operation: OperationId): string | undefined {
  if (permissionOf(operation).door === 'public') return undefined;
  if (needsSession(operation)) return 'Access tokens cannot call it (403 `session_required`).';
  const scope = scopeOf(operation);
  return scope === undefined ? 'Any access token will do.' : `Scope of access tokens: \`${scope}\`.`;
}
