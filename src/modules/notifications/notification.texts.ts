import type { Kind } from '../../common/kinds.js';
import type { NotificationKind } from '../../common/notifications.js';
import type { MailLanguage } from '../../platform/mail/languages.js';
import { mailName } from '../../platform/mail/mail-name.js';

/** One operation, such as an import, assigns many tasks at once, so the notification is about their endeavour. */
type Reason = NotificationKind | 'tasks_assigned';

const TEXTS: Record<MailLanguage, Record<Reason, string>> = {
  en: {
    assigned: 'assigned to you',
    tasks_assigned: 'tasks assigned to you',
    owner_changed: 'owner changed',
    review_wanted: 'waits for your verdict',
    verdict: 'verdict on your work',
    comment: 'commented',
    due: 'due or overdue',
    vote_wanted: 'waits for your vote',
    watching: 'changed, and you watch it',
    invitation: 'you are invited',
  },
  de: {
    assigned: 'dir zugewiesen',
    tasks_assigned: 'Aufgaben dir zugewiesen',
    owner_changed: 'Verantwortung gewechselt',
    review_wanted: 'wartet auf dein Urteil',
    verdict: 'Urteil über deine Arbeit',
    comment: 'kommentiert',
    due: 'fällig oder überfällig',
    vote_wanted: 'wartet auf deine Stimme',
    watching: 'verändert, und du beobachtest es',
    invitation: 'du bist eingeladen',
  },
  fr: {
    assigned: 'vous est attribué',
    tasks_assigned: 'tâches qui vous sont attribuées',
    owner_changed: 'responsable changé',
    review_wanted: 'attend votre avis',
    verdict: 'avis sur votre travail',
    comment: 'commenté',
    due: 'à échéance ou en retard',
    vote_wanted: 'attend votre vote',
    watching: 'modifié, et vous le suivez',
    invitation: 'vous êtes invité',
  },
  es: {
    assigned: 'se te ha asignado',
    tasks_assigned: 'tareas asignadas a ti',
    owner_changed: 'cambió el responsable',
    review_wanted: 'espera tu veredicto',
    verdict: 'veredicto sobre tu trabajo',
    comment: 'comentado',
    due: 'vence o ha vencido',
    vote_wanted: 'espera tu voto',
    watching: 'ha cambiado, y lo sigues',
    invitation: 'tienes una invitación',
  },
};

const reasonOf = (kind: NotificationKind, entityType: Kind): Reason =>
  kind === 'assigned' && entityType === 'endeavour' ? 'tasks_assigned' : kind;

interface MailedReasons {
  kinds: readonly NotificationKind[];
  count: number;
  entityType: Kind;
  key: string | null;
  title: string;
}

/** One line of a mail: the entity and the reason. */
export const lineOf = ({ kinds, count, entityType, key, title }: MailedReasons, language: MailLanguage): string => {
  const reasons = kinds.map((kind) => TEXTS[language][reasonOf(kind, entityType)]).join(', ');
  // The number is that of all reasons together.
  const isCounted = entityType === 'endeavour' && kinds.length === 1 && kinds[0] === 'assigned';
  return `- ${key === null ? '' : `${key} `}${mailName(title)}: ${isCounted ? `${count} ` : ''}${reasons}`;
};
