/** The languages of the built-in reports; the translations below have this order. */
const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

type Translations = Record<string, readonly [string, string, string, string]>;

const NAMES = {
  task: ['Task report', 'Aufgabenbericht', 'Rapport de tâche', 'Informe de tarea'],
  demand: ['Demand report', 'Anforderungsbericht', 'Rapport de demande', 'Informe de demanda'],
  endeavour: ['Endeavour report', 'Vorhabenbericht', 'Rapport de projet', 'Informe de proyecto'],
  organization: ['Organization report', 'Organisationsbericht', "Rapport d'organisation", 'Informe de organización'],
} satisfies Translations;

const STATUSES = {
  planned: ['planned', 'geplant', 'prévue', 'prevista'],
  active: ['active', 'in Arbeit', 'en cours', 'en curso'],
  done: ['done', 'erledigt', 'terminée', 'hecha'],
  canceled: ['canceled', 'abgebrochen', 'annulée', 'cancelada'],
  open: ['open', 'offen', 'ouverte', 'abierta'],
  in_progress: ['in progress', 'in Bearbeitung', 'en traitement', 'en proceso'],
  fulfilled: ['fulfilled', 'erfüllt', 'satisfaite', 'cumplida'],
  pending: ['pending', 'bevorstehend', 'à venir', 'pendiente'],
  on_hold: ['on hold', 'ruht', 'en pause', 'en pausa'],
  completed: ['completed', 'abgeschlossen', 'achevé', 'completado'],
  archived: ['archived', 'archiviert', 'archivé', 'archivado'],
  inactive: ['inactive', 'inaktiv', 'inactif', 'inactivo'],
  achieved: ['achieved', 'erreicht', 'atteint', 'logrado'],
  abandoned: ['abandoned', 'aufgegeben', 'abandonné', 'abandonado'],
} satisfies Translations;

const PRIORITIES = {
  low: ['low', 'niedrig', 'faible', 'baja'],
  medium: ['medium', 'mittel', 'moyenne', 'media'],
  high: ['high', 'hoch', 'haute', 'alta'],
  urgent: ['urgent', 'dringend', 'urgente', 'urgente'],
} satisfies Translations;

const LABELS = {
  none: ['none', 'keine', 'aucune', 'ninguna'],
  nobody: ['nobody', 'niemand', 'personne', 'nadie'],
  overdue: ['overdue', 'überfällig', 'en retard', 'vencida'],
  task: ['Task', 'Aufgabe', 'Tâche', 'Tarea'],
  tasks: ['Tasks', 'Aufgaben', 'Tâches', 'Tareas'],
  demand: ['Demand', 'Anforderung', 'Demande', 'Demanda'],
  demands: ['Demands', 'Anforderungen', 'Demandes', 'Demandas'],
  endeavour: ['Endeavour', 'Vorhaben', 'Projet', 'Proyecto'],
  endeavours: ['Endeavours', 'Vorhaben', 'Projets', 'Proyectos'],
  status: ['Status', 'Stand', 'État', 'Estado'],
  priority: ['Priority', 'Dringlichkeit', 'Priorité', 'Prioridad'],
  type: ['Type', 'Art', 'Type', 'Tipo'],
  owner: ['Owner', 'Verantwortlich', 'Responsable', 'Responsable'],
  assignee: ['Assignee', 'Zugewiesen an', 'Confiée à', 'Asignada a'],
  due: ['Due', 'Fällig', 'Échéance', 'Vence'],
  estimate: ['Estimate', 'Geschätzt', 'Estimation', 'Estimado'],
  actual: ['Actual', 'Tatsächlich', 'Réalisé', 'Real'],
  hours: ['Hours', 'Stunden', 'Heures', 'Horas'],
  started: ['Started', 'Begonnen', 'Début', 'Inicio'],
  finished: ['Finished', 'Beendet', 'Fin', 'Fin'],
  description: ['Description', 'Beschreibung', 'Description', 'Descripción'],
  checklist: ['Checklist', 'Prüfliste', 'Points à vérifier', 'Lista de comprobación'],
  reason: ['Reason', 'Grund', 'Motif', 'Motivo'],
  progress: ['Progress', 'Fortschritt', 'Avancement', 'Avance'],
  goals: ['Goals', 'Ziele', 'Objectifs', 'Objetivos'],
  members: ['Members', 'Mitglieder', 'Membres', 'Miembros'],
  period: ['Period', 'Zeitraum', 'Période', 'Período'],
  overview: ['Overview', 'Überblick', "Vue d'ensemble", 'Resumen'],
  attention: ['Needs attention', 'Braucht Aufmerksamkeit', 'À surveiller', 'Requiere atención'],
  overdueTasks: ['Overdue tasks', 'Überfällige Aufgaben', 'Tâches en retard', 'Tareas vencidas'],
  staleTasks: [
    'Tasks without a change for two weeks',
    'Aufgaben ohne Änderung seit zwei Wochen',
    'Tâches inchangées depuis deux semaines',
    'Tareas sin cambios desde hace dos semanas',
  ],
  unassigned: [
    'Open tasks without an assignee',
    'Offene Aufgaben ohne Zuweisung',
    'Tâches ouvertes que personne ne porte',
    'Tareas abiertas sin asignar',
  ],
  lastChange: ['Last change', 'Letzte Änderung', 'Dernier changement', 'Último cambio'],
  contributors: ['Contributors', 'Mitwirkende', 'Contributions', 'Participantes'],
  trend: ['The last two weeks', 'Die letzten zwei Wochen', 'Les deux dernières semaines', 'Las dos últimas semanas'],
  day: ['Day', 'Tag', 'Jour', 'Día'],
  created: ['Created', 'Angelegt', 'Créées', 'Creadas'],
  done: ['Done', 'Erledigt', 'Terminées', 'Hechas'],
  rituals: ['Rituals', 'Rituale', 'Rituels', 'Rituales'],
  ritual: ['Ritual', 'Ritual', 'Rituel', 'Ritual'],
  next: ['Next', 'Nächstes Mal', 'Prochaine fois', 'Próxima vez'],
  runs: ['Runs', 'Durchläufe', 'Exécutions', 'Ejecuciones'],
  succeeded: ['Succeeded', 'Gelungen', 'Réussies', 'Logradas'],
  failed: ['Failed', 'Gescheitert', 'Échouées', 'Fallidas'],
  openDemands: ['Open demands', 'Offene Anforderungen', 'Demandes ouvertes', 'Demandas abiertas'],
  allGood: [
    'Nothing is overdue, blocked or left lying.',
    'Nichts ist überfällig, blockiert oder liegen geblieben.',
    "Rien n'est en retard, bloqué ou laissé de côté.",
    'No hay nada vencido, bloqueado ni parado.',
  ],
  blockedTasks: ['Blocked tasks', 'Blockierte Aufgaben', 'Tâches bloquées', 'Tareas bloqueadas'],
  waitsFor: ['Waits for', 'Wartet auf', 'En attente de', 'A la espera de'],
  reviewTasks: ['Waiting for review', 'Warten auf Prüfung', 'En attente de relecture', 'Pendientes de revisión'],
  since: ['Active since', 'In Arbeit seit', 'En cours depuis', 'En curso desde'],
  dod: ['Definition of Done', 'Definition of Done', 'Définition de terminé', 'Definición de hecho'],
  policy: ['Policy', 'Richtlinie', 'Politique', 'Política'],
  noPolicy: [
    'No policy is assigned.',
    'Es ist keine Richtlinie zugewiesen.',
    "Aucune politique n'est attribuée.",
    'No hay ninguna política asignada.',
  ],
  activeTasks: ['Active tasks', 'Aufgaben in Arbeit', 'Tâches en cours', 'Tareas en curso'],
  met: ['met', 'erfüllt', 'satisfaite', 'cumplida'],
  notMet: ['not met', 'nicht erfüllt', 'non satisfaite', 'no cumplida'],
  overridden: ['overridden', 'ausgesetzt', 'levée', 'dispensada'],
  imported: ['imported', 'importiert', 'importée', 'importada'],
  condition: ['Condition', 'Bedingung', 'Condition', 'Condición'],
  detail: ['Detail', 'Befund', 'Constat', 'Detalle'],
  firstThousand: [
    'Only the first 1,000 active tasks were examined.',
    'Nur die ersten 1.000 Aufgaben in Arbeit wurden geprüft.',
    'Seules les 1 000 premières tâches en cours ont été examinées.',
    'Solo se han examinado las primeras 1000 tareas en curso.',
  ],
  shown: [
    '{shown} of {total} shown',
    '{shown} von {total} gezeigt',
    '{shown} sur {total} affichées',
    'se muestran {shown} de {total}',
  ],
  asOf: ['As of', 'Stand', 'Situation au', 'Situación al'],
  total: ['Total', 'Gesamt', 'Total', 'Total'],
} satisfies Translations;

type Words<T extends Translations> = Record<keyof T, string>;

/** The words of the built-in reports in one language. */
export type ReportWords = Words<typeof LABELS> & {
  lang: string;
  names: Words<typeof NAMES>;
  statuses: Words<typeof STATUSES>;
  priorities: Words<typeof PRIORITIES>;
};

function inLanguage<T extends Translations>(words: T, language: number): Words<T> {
  return Object.fromEntries(Object.entries(words).map(([name, all]) => [name, all[language]])) as Words<T>;
}

export const REPORT_WORDS: readonly ReportWords[] = LANGUAGES.map((lang, language) => ({
  lang,
  names: inLanguage(NAMES, language),
  statuses: inLanguage(STATUSES, language),
  priorities: inLanguage(PRIORITIES, language),
  ...inLanguage(LABELS, language),
}));
