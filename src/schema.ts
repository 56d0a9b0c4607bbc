import { AccessToken, AccessTokenSecret, AccessTokenUse } from './access/access-token.entity.js';
import { Departure } from './access/departure.entity.js';
import { EndeavourMember } from './access/endeavour-member.entity.js';
import { FormerMember } from './access/former-member.entity.js';
import { KnownAddress } from './access/known-address.entity.js';
import { OrganizationEndeavour } from './access/organization-endeavour.entity.js';
import { Tier } from './access/tier.entity.js';
import { OrganizationResource } from './access/organization-resource.entity.js';
import { Session } from './access/session.entity.js';
import { AuditEntry } from './platform/audit/audit-entry.entity.js';
import { AuditOrigin } from './platform/audit/audit-origin.entity.js';
import { AuditCheckpoint, AuditSeal, UnsealedEntry } from './platform/audit/audit-seal.entity.js';
import { ActivityCount } from './modules/following/activity-count.entity.js';
import { FeedAudience } from './modules/following/feed-audience.entity.js';
import { FeedEntry } from './modules/following/feed.entity.js';
import { FeedState } from './modules/following/feed-state.entity.js';
import { Entities1763700000001 } from './migrations/1763700000001-entities.js';
import { People1763700000002 } from './migrations/1763700000002-people.js';
import { Containers1763700000003 } from './migrations/1763700000003-containers.js';
import { Work1763700000004 } from './migrations/1763700000004-work.js';
import { Alerts1763700000300 } from './migrations/1763700000300-alerts.js';
import { ContainerSearch1763700000301 } from './migrations/1763700000301-container-search.js';
import { Accounts1763700000101 } from './migrations/1763700000101-accounts.js';
import { Outbox1763700000201 } from './migrations/1763700000201-outbox.js';
import { Jobs1763700000202 } from './migrations/1763700000202-jobs.js';
import { Demands1763700000401 } from './migrations/1763700000401-demands.js';
import { Resources1763700000402 } from './migrations/1763700000402-resources.js';
import { Quorum1763700000403 } from './migrations/1763700000403-quorum.js';
import { Relations1763700000404 } from './migrations/1763700000404-relations.js';
import { Messages1763700000500 } from './migrations/1763700000500-messages.js';
import { Templates1763700000601 } from './migrations/1763700000601-templates.js';
import { BuiltInReports1763700000602 } from './migrations/1763700000602-built-in-reports.js';
import { Rituals1763700000603 } from './migrations/1763700000603-rituals.js';
import { BuiltInRituals1763700000604 } from './migrations/1763700000604-built-in-rituals.js';
import { Dependants1763700000501 } from './migrations/1763700000501-dependants.js';
import { Artifacts1763700000502 } from './migrations/1763700000502-artifacts.js';
import { Comments1763700000503 } from './migrations/1763700000503-comments.js';
import { Approvals1763700000504 } from './migrations/1763700000504-approvals.js';
import { Approval } from './modules/approvals/approval.entity.js';
import { Artifact } from './modules/artifacts/artifact.entity.js';
import { DodPolicies1763700000700 } from './migrations/1763700000700-dod-policies.js';
import { DodChecks1763700000701 } from './migrations/1763700000701-dod-checks.js';
import { Creators1763700000800 } from './migrations/1763700000800-creators.js';
import { Places1763700000801 } from './migrations/1763700000801-places.js';
import { Holds1763700000802 } from './migrations/1763700000802-holds.js';
import { Homes1763700000810 } from './migrations/1763700000810-homes.js';
import { ResourceHomes1763700000811 } from './migrations/1763700000811-resource-homes.js';
import { Departures1763700000812 } from './migrations/1763700000812-departures.js';
import { ResourceErasing1763700000813 } from './migrations/1763700000813-resource-erasing.js';
import { OneHome1763700000814 } from './migrations/1763700000814-one-home.js';
import { FeedTimes1763700000961 } from './migrations/1763700000961-feed-times.js';
import { Audit1763700001030 } from './migrations/1763700001030-audit.js';
import { RecordedTokenEnds1763700001800 } from './migrations/1763700001800-recorded-token-ends.js';
import { SearchWords1763700001810 } from './migrations/1763700001810-search-words.js';
import { OperationRestrictions1763700001900 } from './migrations/1763700001900-operation-restrictions.js';
import { EndedTokens1763700001500 } from './migrations/1763700001500-ended-tokens.js';
import { ImportData1763700001700 } from './migrations/1763700001700-import-data.js';
import { BulkTasks1763700001710 } from './migrations/1763700001710-bulk-tasks.js';
import { CalendarTokens1763700001610 } from './migrations/1763700001610-calendar-tokens.js';
import { TaskFlow1763700001600 } from './migrations/1763700001600-task-flow.js';
import { DocumentImports1763700001720 } from './migrations/1763700001720-document-imports.js';
import { Imports1763700001310 } from './migrations/1763700001310-imports.js';
import { ExternalRefs1763700001300 } from './migrations/1763700001300-external-refs.js';
import { ReplacedManagers1763700001000 } from './migrations/1763700001000-replaced-managers.js';
import { Dependencies1763700001040 } from './migrations/1763700001040-dependencies.js';
import { MovedAway1763700001230 } from './migrations/1763700001230-moved-away.js';
import { TokenEvents1763700001220 } from './migrations/1763700001220-token-events.js';
import { Notifications1763700001210 } from './migrations/1763700001210-notifications.js';
import { WorkingLists1763700001200 } from './migrations/1763700001200-working-lists.js';
import { Webhooks1763700001020 } from './migrations/1763700001020-webhooks.js';
import { Feed1763700000960 } from './migrations/1763700000960-feed.js';
import { ErasableRecords1763700000890 } from './migrations/1763700000890-erasable-records.js';
import { TranslatedRituals1763700000920 } from './migrations/1763700000920-translated-rituals.js';
import { FullerReports1763700000921 } from './migrations/1763700000921-fuller-reports.js';
import { ErasingIndexes1763700000831 } from './migrations/1763700000831-erasing-indexes.js';
import { Operations1763700000830 } from './migrations/1763700000830-operations.js';
import { StoredAnswers1763700000905 } from './migrations/1763700000905-stored-answers.js';
import { KnownAddresses1763700000820 } from './migrations/1763700000820-known-addresses.js';
import { Invitations1763700000821 } from './migrations/1763700000821-invitations.js';
import { Tiers1763700000822 } from './migrations/1763700000822-tiers.js';
import { OwnEvents1763700000840 } from './migrations/1763700000840-own-events.js';
import { AccountErasure1763700000842 } from './migrations/1763700000842-account-erasure.js';
import { ImmutableEvents1763700000844 } from './migrations/1763700000844-immutable-events.js';
import { EventIds1763700000843 } from './migrations/1763700000843-event-ids.js';
import { Erasing1763700000841 } from './migrations/1763700000841-erasing.js';
import { PolicyContainers1763700000850 } from './migrations/1763700000850-policy-containers.js';
import { Histories1763700000851 } from './migrations/1763700000851-histories.js';
import { Evidence1763700000852 } from './migrations/1763700000852-evidence.js';
import { EndorsementEnds1763700000853 } from './migrations/1763700000853-endorsement-ends.js';
import { MessageRecipients1763700000860 } from './migrations/1763700000860-message-recipients.js';
import { OwnerVotes1763700000854 } from './migrations/1763700000854-owner-votes.js';
import { MembershipRelations1763700000910 } from './migrations/1763700000910-membership-relations.js';
import { TemplateContainers1763700000861 } from './migrations/1763700000861-template-containers.js';
import { AccessTokens1763700000940 } from './migrations/1763700000940-access-tokens.js';
import { Agents1763700000942 } from './migrations/1763700000942-agents.js';
import { Confinement1763700000941 } from './migrations/1763700000941-confinement.js';
import { CommentMention } from './modules/comments/comment-mention.entity.js';
import { CommentText } from './modules/comments/comment-text.entity.js';
import { Comment } from './modules/comments/comment.entity.js';
import { EmailChange } from './modules/auth/email-change.entity.js';
import { SignUp } from './modules/auth/sign-up.entity.js';
import { Demand } from './modules/demands/demand.entity.js';
import { DodCheck } from './modules/dod/check.entity.js';
import { Endorsement } from './modules/dod/endorsement.entity.js';
import { Policy } from './modules/dod/policy.entity.js';
import { DodResult } from './modules/dod/result.entity.js';
import { Endeavour } from './modules/endeavours/endeavour.entity.js';
import { InvitationAcceptance } from './modules/invitations/invitation-acceptance.entity.js';
import { Invitation } from './modules/invitations/invitation.entity.js';
import { MessageDelivery } from './modules/messages/message-delivery.entity.js';
import { Message } from './modules/messages/message.entity.js';
import { BulkTaskRefusal } from './modules/tasks/bulk/bulk-refusal.entity.js';
import { ImportedEntity } from './modules/imports/documents/imported-entity.entity.js';
import { ImportLine } from './modules/imports/import-line.entity.js';
import { ImportRefusal } from './modules/imports/import-refusal.entity.js';
import { ImportRow } from './modules/imports/import.entity.js';
import { OperationRow } from './modules/operations/operation.entity.js';
import { AlertTerm } from './modules/organizations/alert-term.entity.js';
import { Alert } from './modules/organizations/alert.entity.js';
import { Organization } from './modules/organizations/organization.entity.js';
import { Relation } from './modules/relations/relation.entity.js';
import { QuorumVote } from './modules/resources/quorum-vote.entity.js';
import { Resource } from './modules/resources/resource.entity.js';
import { TeamMember } from './modules/resources/team-member.entity.js';
import { TeamMembership } from './modules/resources/team-membership.entity.js';
import { RitualRun } from './modules/rituals/ritual-run.entity.js';
import { Ritual } from './modules/rituals/ritual.entity.js';
import { TaskAssignment } from './modules/tasks/task-assignment.entity.js';
import { TaskStatusStay } from './modules/tasks/task-status.entity.js';
import { Task } from './modules/tasks/task.entity.js';
import { Code } from './modules/users/code.entity.js';
import { Template } from './modules/templates/template.entity.js';
import { User } from './modules/users/user.entity.js';
import { Notification, NotificationFeed } from './modules/notifications/notification.entity.js';
import { AwaitedVerdict } from './modules/work/awaited-verdict.entity.js';
import { ReviewRequest } from './modules/work/review-request.entity.js';
import { WebhookDelivery } from './modules/webhooks/webhook-delivery.entity.js';
import { Webhook, WebhookFeed, WebhookState } from './modules/webhooks/webhook.entity.js';
import { EventRow } from './platform/events/event-row.entity.js';
import { ArchivedState } from './platform/containment/archived-state.entity.js';
import type { Schema } from './platform/database/data-source.js';
import { EntityRow } from './platform/database/entity-row.entity.js';
import { IdempotencyKey } from './platform/http/idempotency-key.entity.js';
import { RateCounter } from './platform/limits/rate-counter.entity.js';
import { JobRow } from './platform/jobs/job.entity.js';
import { OutboxMail } from './platform/mail/outbox-mail.entity.js';

/** Every table and every step that led to it, oldest first. */
export const SCHEMA: Schema = {
  entities: [
    ActivityCount,
    FeedAudience,
    FeedEntry,
    FeedState,
    EntityRow,
    EventRow,
    IdempotencyKey,
    OutboxMail,
    JobRow,
    RateCounter,
    Tier,
    User,
    Resource,
    TeamMember,
    TeamMembership,
    QuorumVote,
    Session,
    AccessToken,
    AccessTokenSecret,
    AccessTokenUse,
    KnownAddress,
    FormerMember,
    Code,
    SignUp,
    EmailChange,
    Invitation,
    InvitationAcceptance,
    Organization,
    AlertTerm,
    Alert,
    OrganizationResource,
    Departure,
    OrganizationEndeavour,
    Endeavour,
    EndeavourMember,
    Demand,
    Task,
    TaskStatusStay,
    TaskAssignment,
    Relation,
    Template,
    Ritual,
    RitualRun,
    Policy,
    Endorsement,
    DodCheck,
    DodResult,
    Artifact,
    Comment,
    CommentText,
    CommentMention,
    Approval,
    Message,
    MessageDelivery,
    OperationRow,
    ImportRow,
    ImportLine,
    ImportRefusal,
    BulkTaskRefusal,
    ImportedEntity,
    ArchivedState,
    AuditEntry,
    AuditOrigin,
    AuditSeal,
    UnsealedEntry,
    AuditCheckpoint,
    Webhook,
    WebhookState,
    WebhookFeed,
    WebhookDelivery,
    AwaitedVerdict,
    Notification,
    NotificationFeed,
    ReviewRequest,
  ],
  migrations: [
    Entities1763700000001,
    People1763700000002,
    Containers1763700000003,
    Work1763700000004,
    Accounts1763700000101,
    Outbox1763700000201,
    Jobs1763700000202,
    Alerts1763700000300,
    ContainerSearch1763700000301,
    Demands1763700000401,
    Resources1763700000402,
    Quorum1763700000403,
    Relations1763700000404,
    Messages1763700000500,
    Dependants1763700000501,
    Artifacts1763700000502,
    Comments1763700000503,
    Approvals1763700000504,
    Templates1763700000601,
    BuiltInReports1763700000602,
    Rituals1763700000603,
    BuiltInRituals1763700000604,
    DodPolicies1763700000700,
    DodChecks1763700000701,
    Creators1763700000800,
    Places1763700000801,
    Holds1763700000802,
    Homes1763700000810,
    ResourceHomes1763700000811,
    Departures1763700000812,
    ResourceErasing1763700000813,
    OneHome1763700000814,
    Operations1763700000830,
    ErasingIndexes1763700000831,
    KnownAddresses1763700000820,
    Invitations1763700000821,
    Tiers1763700000822,
    OwnEvents1763700000840,
    Erasing1763700000841,
    AccountErasure1763700000842,
    EventIds1763700000843,
    ImmutableEvents1763700000844,
    PolicyContainers1763700000850,
    Histories1763700000851,
    Evidence1763700000852,
    EndorsementEnds1763700000853,
    OwnerVotes1763700000854,
    MessageRecipients1763700000860,
    TemplateContainers1763700000861,
    ErasableRecords1763700000890,
    StoredAnswers1763700000905,
    MembershipRelations1763700000910,
    TranslatedRituals1763700000920,
    FullerReports1763700000921,
    Feed1763700000960,
    AccessTokens1763700000940,
    Confinement1763700000941,
    FeedTimes1763700000961,
    ReplacedManagers1763700001000,
    Webhooks1763700001020,
    WorkingLists1763700001200,
    Notifications1763700001210,
    TokenEvents1763700001220,
    MovedAway1763700001230,
    Dependencies1763700001040,
    Agents1763700000942,
    Audit1763700001030,
    ExternalRefs1763700001300,
    Imports1763700001310,
    EndedTokens1763700001500,
    TaskFlow1763700001600,
    CalendarTokens1763700001610,
    ImportData1763700001700,
    BulkTasks1763700001710,
    DocumentImports1763700001720,
    RecordedTokenEnds1763700001800,
    SearchWords1763700001810,
    OperationRestrictions1763700001900,
  ],
};
