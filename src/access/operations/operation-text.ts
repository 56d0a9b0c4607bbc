import { permissionOf, type OperationId } from '../permissions/permissions.js';
import { needsSession, scopesOf } from './scopes.js';

/** Describes who can call an operation, and with which access tokens, for the OpenAPI document. */
export const accessText = (operation: OperationId): string =>
  [accessSentence(operation), tokenNote(operation), proofNote(operation)].filter(Boolean).join('\n\n');

function accessSentence(operation: OperationId): string {
  const { access, role, container, note } = permissionOf(operation);
  if (access === 'public') return 'No authentication is required.';
  if (access === 'admin') return 'Only administrators can call this operation.';
  if (role === undefined) return note ?? 'Any signed-in user can call this operation.';
  const needed = `You need the \`${role}\` role or higher in the ${container}.`;
  return note === undefined ? needed : `${needed} ${note}`;
}

/** Describes how recently the person must have proved to be there. */
function proofNote(operation: OperationId): string | undefined {
  const { proofMinutes } = permissionOf(operation);
  if (proofMinutes === undefined) return undefined;
  return (
    `You must have signed in, or confirmed with \`POST /auth/step-up\` that it is you, in the last ${proofMinutes} ` +
    'minutes (403 `proof_required`).'
  );
}

/** The default description of list, get, create, update and delete operations. */
export function defaultDescription(summary: string): string {
  const [verb, ...words] = summary.split(' ');
  const entity = words
    .join(' ')
    .replace(/^an? /, '')
    .replace(/ \(admin\)$/, '');
  const descriptions: Record<string, string> = {
    List: `Returns the ${entity} that you can see, page by page.`,
    Get: `Returns the ${entity}.`,
    Create: `Creates the ${entity} and returns it.`,
    Update: `Updates the properties that you send (JSON merge patch) and returns the ${entity}.`,
    Delete: `Deletes the ${entity}.`,
  };
  return descriptions[verb] ?? `${summary}.`;
}

/** Describes which access tokens can call the operation. */
function tokenNote(operation: OperationId): string | undefined {
  if (permissionOf(operation).access === 'public') return undefined;
  if (needsSession(operation))
    return 'Access tokens cannot call this operation; sign in instead (403 `session_required`).';
  const scopes = scopesOf(operation).map((scope) => `\`${scope}\``);
  if (scopes.length === 0) return 'Access tokens can call this operation with any scope.';
  return scopes.length === 1
    ? `Access tokens need the scope ${scopes[0]}.`
    : `Access tokens need the scopes ${scopes.slice(0, -1).join(', ')} and ${scopes.at(-1)}.`;
}
