import type { TaskStatus } from '../../../common/statuses.js';
import { foldWord, lookUp, wordsIn } from './fold.js';

/** Words for states in English, German, French, Spanish, Portuguese and Japanese. */
const STATUS_WORDS: Record<TaskStatus, readonly string[]> = {
  planned: [
    'planned|open|opened|new|to do|todo|backlog|reopened|not started|unstarted|inbox|queue|queued|triage|unscheduled|icebox',
    'selected for development|ready for development|next up|up next|on deck|someday|later|needs triage',
    'offen|zu erledigen|neu|geplant|wiedereröffnet|wieder geöffnet|nicht begonnen|ausstehend|aufgaben|aufgabenspeicher',
    'à faire|ouvert|ouverte|nouveau|nouvelle|rouvert|rouverte|réouvert|réouverte|planifié|planifiée|non commencé',
    'por hacer|tareas por hacer|pendiente|pendientes|abierta|abierto|nueva|nuevo|reabierta|reabierto|planificada|planificado',
    'sin empezar|sin iniciar|no iniciado|no iniciada',
    'a fazer|para fazer|tarefas pendentes|itens pendentes|pendentes|aberto|aberta|novo|nova|reaberto|reaberta|planejado',
    'planejada|planeado|planeada|não iniciado|não iniciada',
    '未着手|未対応|新規|オープン|予定|作業前|やること|再オープン|バックログ|未開始|起票',
  ],
  active: [
    'active|in progress|doing|started|wip|work in progress|working on it|ongoing|in development|developing|in review',
    'code review|under review|in testing|in qa|implementing',
    'in arbeit|in bearbeitung|wird bearbeitet|laufend|begonnen|aktiv|in prüfung|im review|in überprüfung|in entwicklung',
    'en cours|en cours de traitement|commencé|commencée|démarré|démarrée|en revue|en révision|en développement|en test',
    'en curso|en progreso|en proceso|haciendo|iniciada|iniciado|en revisión|activa|activo|en desarrollo|en pruebas',
    'em andamento|em progresso|em curso|fazendo|iniciada|em revisão|ativo|ativa|em desenvolvimento|em teste',
    '進行中|作業中|対応中|処理中|レビュー中|実行中|着手|着手中|開発中|テスト中|確認中',
  ],
  done: [
    'done|closed|resolved|complete|completed|fixed|finished|released|deployed|shipped|delivered|merged|implemented|verified',
    'fertig|erledigt|geschlossen|abgeschlossen|gelöst|behoben|umgesetzt|fertiggestellt|beendet|ausgeliefert',
    'terminé|terminée|terminé(e)|fermé|fermée|fermé(e)|résolu|résolue|résolu(e)|fini|finie|fait|clos|close|clôturé|clôturée',
    'corrigé|corrigée|livré|livrée|achevé|achevée',
    'listo|lista|finalizada|finalizado|hecho|hecha|cerrada|cerrado|resuelta|resuelto|terminada|terminado|completada',
    'completado|corregida|corregido|entregado|entregada',
    'concluído|concluída|itens concluídos|feito|feita|fechado|fechada|resolvido|resolvida|pronto|pronta|finalizado',
    'finalizada|terminado|entregue|corrigido|corrigida|encerrado|encerrada',
    '完了|完了済み|済み|済|クローズ|クローズ済み|終了|解決|解決済み|処理済み|対応済み|修正済み|完成|対応完了',
  ],
  canceled: [
    "canceled|cancelled|rejected|declined|won't do|wont do|won't fix|wontfix|will not do|will not fix|not planned|invalid",
    'duplicate|duplicated|abandoned|obsolete|dropped|discarded|withdrawn|retired|not needed|no longer needed|not a bug',
    'cannot reproduce|cant reproduce|can not reproduce|not reproducible|works for me|worksforme|out of scope|as designed',
    'notabug|patchwelcome|patch welcome',
    'by design|works as designed|incomplete|known error|superseded|out of date|no action|not doing|killed|aborted|denied',
    'abgebrochen|abgelehnt|verworfen|storniert|hinfällig|nicht geplant|duplikat|doppelt|ungültig|obsolet|zurückgezogen',
    'wird nicht erledigt|wird nicht gemacht|wird nicht behoben|nicht reproduzierbar|kann nicht reproduziert werden|entfällt',
    'aufgegeben|nicht umgesetzt|annulliert',
    'annulé|annulée|annulé(e)|abandonné|abandonnée|abandonné(e)|rejeté|rejetée|rejeté(e)|refusé|refusée|doublon|dupliqué',
    'invalide|sans objet|ne sera pas fait|ne sera pas corrigé|ne sera pas résolu|impossible à reproduire|non reproductible',
    'caduc|écarté|écartée',
    'cancelada|cancelado|rechazada|rechazado|descartada|descartado|anulada|anulado|abandonada|abandonado|duplicada',
    'duplicado|inválida|inválido|no se hará|no se va a hacer|no se realizará|no se corregirá|no se solucionará|obsoleta',
    'obsoleto|no reproducible|no se puede reproducir|desestimada|desestimado|denegada|denegado',
    'rejeitado|rejeitada|recusado|recusada|não será feito|não fazer|não será corrigido|não será resolvido|não reproduzível',
    'não é possível reproduzir|duplicata|desconsiderado',
    '中止|キャンセル|キャンセル済み|却下|取り消し|取消|見送り|不要|重複|無効|対応しない|対応不要|修正しない|実施しない|破棄|廃止|棄却',
    '再現不可|再現しない|再現できない',
  ],
};

/** Words that mean different states in different systems; the category of the state decides if there is one. */
const WEAK_WORDS: Partial<Record<TaskStatus, readonly string[]>> = {
  planned: ['pending|waiting|ready|assigned|next|ideas|bereit|en attente|en espera|pendente|待ち|保留'],
  active: ['review|testing|test|qa|verify|accepted'],
};

type Words = ReadonlyMap<string, TaskStatus>;
const tableOf = (words: Partial<Record<TaskStatus, readonly string[]>>): Words =>
  new Map(
    (Object.entries(words) as [TaskStatus, readonly string[]][]).flatMap(([status, lists]) =>
      lists.flatMap(wordsIn).map((word) => [word, status] as const),
    ),
  );
const STRONG = tableOf(STATUS_WORDS);
const WEAK = tableOf(WEAK_WORDS);

/** A state that was read from words. */
export interface ReadStatus {
  status: TaskStatus;
  /** Whether the name has more than the word, so that the status is a guess. */
  isGuess: boolean;
}

/** Returns the status that the exact word means everywhere; undefined for others. */
export const strongStatusOf = (name: string): TaskStatus | undefined => lookUp(STRONG, name);

/** Returns the status by the words of the name; undefined if there is no such word or if there are several. */
export function statusByWords(name: string): ReadStatus | undefined {
  const exact = lookUp(STRONG, name) ?? lookUp(WEAK, name);
  if (exact !== undefined) return { status: exact, isGuess: false };
  const found = new Set([plainOf(name), ...name.split(/[-‐-―|:/,・]+/).map(plainOf)].flatMap(statusesOf));
  return found.size === 1 ? { status: [...found][0], isGuess: true } : undefined;
}

const statusesOf = (word: string): TaskStatus[] => [STRONG.get(word) ?? WEAK.get(word)].filter((s) => s !== undefined);

/** Returns the name without symbols, brackets with their contents, and numbers around it. */
const plainOf = (name: string): string =>
  foldWord(
    name
      .replaceAll(/[([{（【［][^)\]}）】］]*[)\]}）】］]/g, ' ')
      .replaceAll(/[^\p{L}\p{N}\p{M}'’\s_-]/gu, ' ')
      .replaceAll(/(?:^|\s)[#\d.]+(?=\s|$)/g, ' '),
  );
