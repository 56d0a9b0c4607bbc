import { permissionOf, type OperationId } from './permissions.js';
import { needsSession, scopeOf } from './scopes.js';

/** Who can call an operation, and with which access tokens, in sentences. */
export const accessText = (operation: OperationId): string =>
  [accessSentence(operation), tokenNote(operation)].filter(Boolean).join('\n\n');

function accessSentence(operation: OperationId): string {
  const { access, role, note } = permissionOf(operation);
  if (access === 'public') return 'No authentication is required.';
  if (access === 'admin') return 'Only administrators can call this operation.';
  if (role === undefined) return note ?? 'Any signed-in user can call this operation.';
  const needed = `You need the \`${role}\` role or higher in the ${containerOf(operation)}.`;
  return note === undefined ? needed : `${needed} ${note}`;
}

/** The container in which an operation requires a role, in words. */
function containerOf(operation: OperationId): string {
  if (/^(organizations|alerts|agents)_/.test(operation)) return 'organization';
  if (/^(endeavours|demands|tasks|artifacts|dod_(policy|status|check|override|result|endorsement))/.test(operation)) {
    return 'endeavour';
  }
  return 'endeavour or organization';
}

/** The description of common operations that do nothing unusual. */
export function usualDescription(summary: string): string {
  const [verb, ...words] = summary.split(' ');
  const what = words
    .join(' ')
    .replace(/^an? /, '')
    .replace(/ \(admin\)$/, '');
  const does: Record<string, string> = {
    List: `Returns the ${what} that you can see, page by page.`,
    Get: `Returns the ${what}.`,
    Create: `Creates the ${what} and returns it.`,
    Update: `Updates the properties that you send (JSON merge patch) and returns the ${what}.`,
    Delete: `Deletes the ${what}.`,
  };
  return does[verb] ?? `${summary}.`;
}

/** What an access token needs for the operation, for the OpenAPI document. */
function tokenNote(operation: OperationId): string | undefined {
  if (permissionOf(operation).access === 'public') return undefined;
  if (needsSession(operation))
    return 'Access tokens cannot call this operation; sign in instead (403 `session_required`).';
  const scope = scopeOf(operation);
  return scope === undefined
    ? 'Access tokens can call this operation with any scope.'
    : `Access tokens need the scope \`${scope}\`.`;
}
