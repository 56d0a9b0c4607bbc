/** The languages in which reports are built in; every word below comes in this order. */
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
    'open tasks without an assignee',
    'offene Aufgaben ohne Zuweisung',
    'tâches ouvertes que personne ne porte',
    'tareas abiertas sin asignar',
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
    'Nothing is overdue, and nothing lies still.',
    'Nichts ist überfällig, nichts bleibt liegen.',
    "Rien n'est en retard et rien ne stagne.",
    'Nada está vencido y nada está parado.',
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
