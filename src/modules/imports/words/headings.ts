import { foldWord, lookUp, wordsIn } from './fold.js';

/**
 * What a column of an issue list can hold, with its headings in English, German, French, Spanish, Portuguese and
 * Japanese.
 */
const HEADINGS = {
  key: [
    'issue key|key|id|reference|ticket|ticket id|task id|card id|issue',
    'vorgangsschlüssel|schlüssel|ticketschlüssel|nummer|vorgang|aufgaben-id',
    'clé de ticket|clé de demande|clé|clef|identifiant|référence',
    'clave de incidencia|clave|clave de la incidencia|identificador|referencia',
    'chave da item|chave do item|chave|chave do ticket|identificador',
    '課題キー|キー|識別子|番号',
  ],
  number: [
    'issue id|key id',
    'vorgangs-id|ticket-id (intern)',
    'id de ticket|id de demande|id du ticket',
    'id de la incidencia|id de incidencia',
    'id da item|id do item|id do ticket',
    '課題 id|課題id',
  ],
  url: ['url|link|html url|permalink|web url|card url', 'adresse', 'lien', 'enlace', 'ligação', 'リンク'],
  title: [
    'summary|title|name|subject|task|task name|card name|issue title',
    'zusammenfassung|titel|betreff|name|aufgabe|bezeichnung',
    'résumé|titre|nom|sujet|objet|tâche',
    'resumen|título|nombre|asunto|tarea',
    'resumo|título|nome|assunto|tarefa',
    '要約|件名|タイトル|題名|名前|タスク',
  ],
  description: [
    'description|details|notes|body|card description',
    'beschreibung|details|notizen|inhalt',
    'description|détails|notes',
    'descripción|detalles|notas',
    'descrição|detalhes|notas',
    '説明|詳細|内容|メモ',
  ],
  status: [
    'status|state|list name|section/column|column',
    'status|zustand',
    'état|statut',
    'estado',
    'estado|status|situação',
    'ステータス|状態|状況',
  ],
  category: [
    'status category',
    'statuskategorie',
    "catégorie d'état|catégorie de statut|catégorie d'état de ticket",
    'categoría de estado|categoría del estado',
    'categoria do status|categoria de status|categoria do estado',
    'ステータス カテゴリー|ステータスカテゴリー|ステータス カテゴリ|ステータスカテゴリ',
  ],
  resolution: ['resolution', 'lösung', 'résolution|résultat', 'resolución', 'resolução', '解決状況|完了理由|解決策'],
  priority: ['priority', 'priorität', 'priorité', 'prioridad', 'prioridade', '優先度'],
  points: [
    'points|story points|story point estimate|story point|estimate (points)',
    'story-punkte|punkte|storypunkte',
    "points|points d'histoire|points de récit",
    'puntos|puntos de historia',
    'pontos|pontos de história|pontos da história',
    'ポイント|ストーリー ポイント|ストーリーポイント',
  ],
  type: [
    'issue type|type|task type',
    'vorgangstyp|typ|tickettyp',
    'type de ticket|type de demande|type',
    'tipo de incidencia|tipo',
    'tipo de item|tipo do item|tipo',
    '課題タイプ|種別|タイプ',
  ],
  assignee: [
    'assignee|assigned to|assignees|responsible',
    'zugewiesene person|bearbeiter|zugewiesen an|verantwortlich|zuständig|zugewiesen',
    'responsable|personne assignée|attribué à|assigné à|destinataire|attributaire',
    'persona asignada|responsable|asignado a|asignado',
    'responsável|atribuído a|pessoa atribuída',
    '担当者|担当',
  ],
  assigneeLogin: ['assignee id|assignee email'],
  author: [
    'reporter|author|created by|opened by|creator|submitter',
    'autor|berichterstatter|ersteller|erstellt von|melder',
    'rapporteur|auteur|créateur|créé par',
    'informador|autor|creador|creado por|informante',
    'relator|autor|criador|criado por',
    '報告者|作成者|起票者|登録者',
  ],
  authorLogin: ['reporter id'],
  created: [
    'created|created at|created date|creation date|created on|opened|date created',
    'erstellt|erstellt am|angelegt|erstellungsdatum|erstelldatum',
    'création|créé|créée|créé le|date de création',
    'creada|creado|fecha de creación|creado el',
    'criado|criada|criado em|data de criação',
    '作成日|作成日時|登録日|起票日',
  ],
  started: [
    'started|started at',
    'begonnen|begonnen am',
    'commencé le',
    'iniciada el|iniciado el',
    'iniciado em',
    '開始日時',
  ],
  resolved: [
    'resolved|resolution date|completed|completed at|closed|closed at|done at|finished|date closed|completed date',
    'erledigt|gelöst|erledigt am|abgeschlossen am|geschlossen am|fertig am|lösungsdatum',
    'résolu|résolue|résolu(e)|date de résolution|terminé le|fermé le|clôturé le',
    'resuelta|resuelto|fecha de resolución|cerrada|cerrado|finalizado el|completado el',
    'resolvido|resolvida|data de resolução|concluído em|fechado em',
    '解決日|解決日時|完了日|完了日時|終了日時',
  ],
  canceled: ['canceled|canceled at|cancelled|cancelled at|abandoned at'],
  start: [
    'start date|start|starts|starts on|start on|planned start|begin date',
    'startdatum|starttermin|beginn|geplanter beginn|anfangsdatum',
    'date de début|début|début prévu',
    'fecha de inicio|inicio|inicio previsto',
    'data de início|início|início previsto',
    '開始日|開始予定日',
  ],
  due: [
    'due date|due|due on|due at|deadline',
    'fälligkeitsdatum|fällig|fällig am|termin|frist|fälligkeit',
    "date d'échéance|échéance|date limite|date butoir",
    'fecha de vencimiento|vencimiento|fecha límite|vence|plazo',
    'data limite|data de vencimento|vencimento|prazo|data de entrega|limite',
    '期限|期限日|締切|締め切り|期日',
  ],
  labels: [
    'labels|label|tags|tag',
    'labels|stichwörter|schlagwörter|etiketten|stichworte',
    'étiquettes|étiquette|libellés|mots-clés',
    'etiquetas|etiqueta',
    'etiquetas|rótulos|categorias|etiqueta|marcadores',
    'ラベル|タグ',
  ],
  hours: [
    'estimated hours|estimate (hours)',
    'geschätzte stunden',
    'heures estimées',
    'horas estimadas',
    'horas estimadas',
    '予定時間',
  ],
  hoursSpent: [
    'actual hours|hours spent',
    'aufgewendete stunden',
    'heures passées',
    'horas trabajadas',
    'horas gastas',
    '実績時間',
  ],
  estimate: [
    'original estimate',
    'ursprüngliche schätzung|ursprungsschätzung',
    'estimation originale|estimation initiale|estimation d’origine',
    'estimación original|estimación inicial',
    'estimativa original|estimativa inicial',
    '初期見積り|初期見積もり|最初の見積り',
  ],
  spent: [
    'time spent',
    'benötigte zeit|aufgewendete zeit|zeitaufwand',
    'temps consacré|temps passé',
    'tiempo trabajado|tiempo empleado|tiempo dedicado',
    'tempo gasto',
    '所要時間|消費時間|作業時間',
  ],
  comment: [
    'comment|comments',
    'kommentar|kommentare',
    'commentaire|commentaires',
    'comentario|comentarios',
    'comentário|comentários',
    'コメント',
  ],
  work: [
    'log work|work log|worklog|worklogs',
    'arbeit protokollieren|arbeitsprotokoll|arbeit erfassen',
    'journal de travail|journal des travaux|consigner le travail|enregistrer le travail',
    'registro de trabajo|registrar trabajo',
    'registro de trabalho|registrar trabalho',
    '作業ログ|作業記録|作業を記録',
  ],
  parent: [
    'parent|parent id|parent key|parent issue|parent task|parent issue key|parent link|epic link',
    'übergeordnet|übergeordnete aufgabe|übergeordneter schlüssel|übergeordnete id|epic-verknüpfung|epos-verknüpfung|übergeordneter vorgang',
    "parent|clé parente|clé du parent|id parent|parente|lien d'epic|lien de l'epic|lien épopée|ticket parent",
    'principal|clave principal|padre|id principal|enlace de epic|enlace de épica|incidencia principal|vínculo de la epopeya',
    'pai|chave pai|chave principal|id pai|id principal|link do épico|link da epic|item pai',
    '親|親キー|親課題|親課題キー|親 id|エピック リンク|エピックリンク',
  ],
  dependsOn: [
    'depends on|blocked by|dependencies|waits for|is blocked by',
    'hängt ab von|blockiert durch|abhängigkeiten|wartet auf',
    'dépend de|bloqué par|dépendances',
    'depende de|bloqueada por|bloqueado por|dependencias',
    'depende de|bloqueado por|dependências',
    '依存|先行タスク|ブロック元',
  ],
  blocks: ['blocks|blocking', 'blockiert', 'bloque', 'bloquea', 'bloqueia', 'ブロックする'],
  relatesTo: ['relates to|related to|related', 'verwandt mit', 'lié à', 'relacionado con', 'relacionado a', '関連'],
  duplicates: ['duplicate of|duplicates', 'duplikat von', 'doublon de', 'duplicado de', 'duplicata de', '重複元'],
  canceledReason: ['canceled reason|cancelled reason|cancel reason'],
} as const;

export type Concept = keyof typeof HEADINGS;

/** The first concept of a heading wins, so that `id` means the key. */
const CONCEPTS: ReadonlyMap<string, Concept> = new Map(
  (Object.entries(HEADINGS) as [Concept, readonly string[]][])
    .flatMap(([concept, lists]) => lists.flatMap(wordsIn).map((word) => [word, concept] as const))
    .toReversed(),
);

/** A column of links, such as `Outward issue link (Blocks)`. */
export interface LinkColumn {
  name: string;
  isIncoming: boolean;
}

const IN_BRACKETS = /^(.*?)\s*[(（](.+)[)）]$/s;
const LINK_WORD = /link|enlace|verknupfung|lien|vinculo|リンク/;
const OUTWARD = /outward|saliente|ausgehend|sortant|extern|saida|外部|発信|外向/;
const INWARD = /inward|entrante|eingehend|entrant|intern|entrada|内部|受信|内向/;
const CUSTOM =
  /^(?:custom field|benutzerdefiniertes feld|champs? personnalises?|campo personalizado|カスタム ?フィールト)/;

/** Returns the concept of a heading, also of a custom field such as `Custom field (Epic Link)`. */
export function conceptOf(heading: string): Concept | undefined {
  const concept = lookUp(CONCEPTS, heading);
  if (concept !== undefined) return concept;
  const [, prefix, name] = IN_BRACKETS.exec(heading.trim()) ?? [];
  return prefix !== undefined && CUSTOM.test(foldWord(prefix)) ? lookUp(CONCEPTS, name) : undefined;
}

/** Returns the link of a heading such as `Inward issue link (Blocks)` or `Enlace de incidencia saliente (Blocks)`. */
export function linkColumnOf(heading: string): LinkColumn | undefined {
  const [, prefix, name] = IN_BRACKETS.exec(heading.trim()) ?? [];
  if (prefix === undefined) return undefined;
  const words = foldWord(prefix);
  if (!LINK_WORD.test(words) || !(OUTWARD.test(words) || INWARD.test(words))) return undefined;
  return { name: name.trim(), isIncoming: !OUTWARD.test(words) };
}
