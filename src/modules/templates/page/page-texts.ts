import type { StatusNames } from '../../tasks/status-names.js';

/** The texts of the pictures in a page, in one language. */
export interface PageTexts {
  lang: string;
  statuses: StatusNames;
  split: string;
  splitByStage: string;
  flow: string;
  trend: string;
  created: string;
  dependencies: string;
  critical: string;
  /** The number of shown tasks or endeavours of the total, with the placeholders `{shown}` and `{total}`. */
  excerpt: string;
  tooLarge: string;
  cycleTime: string;
  forecast: string;
}

const ENGLISH: PageTexts = {
  lang: 'en',
  statuses: { planned: 'planned', active: 'active', done: 'done', canceled: 'canceled' },
  split: 'Tasks by status',
  splitByStage: 'Tasks by stage',
  flow: 'Cumulative flow of the last 30 days',
  trend: 'Created and done in the last two weeks',
  created: 'created',
  dependencies: 'Dependencies of tasks',
  critical: 'The critical path is outlined.',
  excerpt: '{shown} of {total} shown',
  tooLarge: 'More than {total} tasks depend on each other, which is too many for a picture.',
  cycleTime: 'Cycle time: {median} h in the median, {p85} h for 85 % of the tasks.',
  forecast: 'Forecast: everything is done by {p50} (50 %) or {p85} (85 %).',
};

const GERMAN: PageTexts = {
  lang: 'de',
  statuses: { planned: 'geplant', active: 'in Arbeit', done: 'erledigt', canceled: 'abgebrochen' },
  split: 'Aufgaben nach Stand',
  splitByStage: 'Aufgaben nach Stufe',
  flow: 'Verlauf der letzten 30 Tage',
  trend: 'Angelegt und erledigt in den letzten zwei Wochen',
  created: 'angelegt',
  dependencies: 'Abhängigkeiten der Aufgaben',
  critical: 'Der kritische Pfad ist umrandet.',
  excerpt: '{shown} von {total} gezeigt',
  tooLarge: 'Mehr als {total} Aufgaben hängen voneinander ab; das ist zu viel für ein Bild.',
  cycleTime: 'Durchlaufzeit: {median} h im Median, {p85} h für 85 % der Aufgaben.',
  forecast: 'Prognose: Alles ist bis {p50} (50 %) oder {p85} (85 %) erledigt.',
};

const FRENCH: PageTexts = {
  lang: 'fr',
  statuses: { planned: 'prévue', active: 'en cours', done: 'terminée', canceled: 'annulée' },
  split: 'Tâches par état',
  splitByStage: 'Tâches par étape',
  flow: 'Flux cumulé des 30 derniers jours',
  trend: 'Créées et terminées au cours des deux dernières semaines',
  created: 'créée',
  dependencies: 'Dépendances des tâches',
  critical: 'Le chemin critique est encadré.',
  excerpt: '{shown} sur {total} affichées',
  tooLarge: 'Plus de {total} tâches dépendent les unes des autres, ce qui est trop pour une image.',
  cycleTime: 'Temps de cycle : {median} h en médiane, {p85} h pour 85 % des tâches.',
  forecast: 'Prévision : tout est terminé le {p50} (50 %) ou le {p85} (85 %).',
};

const SPANISH: PageTexts = {
  lang: 'es',
  statuses: { planned: 'prevista', active: 'en curso', done: 'hecha', canceled: 'cancelada' },
  split: 'Tareas por estado',
  splitByStage: 'Tareas por etapa',
  flow: 'Flujo acumulado de los últimos 30 días',
  trend: 'Creadas y hechas en las dos últimas semanas',
  created: 'creada',
  dependencies: 'Dependencias de las tareas',
  critical: 'El camino crítico está enmarcado.',
  excerpt: 'se muestran {shown} de {total}',
  tooLarge: 'Más de {total} tareas dependen unas de otras; son demasiadas para una imagen.',
  cycleTime: 'Tiempo de ciclo: {median} h de mediana, {p85} h para el 85 % de las tareas.',
  forecast: 'Previsión: todo estará hecho el {p50} (50 %) o el {p85} (85 %).',
};

/** The texts for a language tag; English for languages without a translation. */
export const textsFor = (tag: string): PageTexts =>
  [GERMAN, FRENCH, SPANISH].find(({ lang }) => lang === tag.toLowerCase().split('-')[0]) ?? ENGLISH;

/** Replaces placeholders such as `{name}` with values. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
