import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { HealthEndpointsModule } from './access/health/health-endpoints.module.js';
import { AgentsModule } from './modules/agents/agents.module.js';
import { ApprovalsModule } from './modules/approvals/approvals.module.js';
import { ArtifactsModule } from './modules/artifacts/artifacts.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { AuthModule } from './modules/auth/auth.module.js';
import { BatchModule } from './modules/batch/batch.module.js';
import { CommentsModule } from './modules/comments/comments.module.js';
import { CredentialsModule } from './modules/credentials/credentials.module.js';
import { TotpModule } from './modules/totp/totp.module.js';
import { PasskeysModule } from './modules/passkeys/passkeys.module.js';
import { DomainsModule } from './modules/domains/domains.module.js';
import { IdentityProvidersModule } from './modules/identity-providers/identity-providers.module.js';
import { StepUpModule } from './modules/step-up/step-up.module.js';
import { ActivityModule } from './modules/activity/activity.module.js';
import { InvitationsModule } from './modules/invitations/invitations.module.js';
import { OperationsModule } from './modules/operations/operations.module.js';
import { ImportsModule } from './modules/imports/imports.module.js';
import { PrivacyModule } from './modules/privacy/privacy.module.js';
import { MessagesModule } from './modules/messages/messages.module.js';
import { OauthModule } from './modules/oauth/oauth.module.js';
import { TokensModule } from './modules/tokens/tokens.module.js';
import { ResourcesModule } from './modules/resources/resources.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { NotificationsModule } from './modules/notifications/notifications.module.js';
import { DiffsModule } from './modules/diffs/diffs.module.js';
import { SearchModule } from './modules/search/search.module.js';
import { WorkModule } from './modules/work/work.module.js';
import { UsersModule } from './modules/users/users.module.js';
import { OrganizationsModule } from './modules/organizations/organizations.module.js';
import { DodModule } from './modules/dod/dod.module.js';
import { EndeavoursModule } from './modules/endeavours/endeavours.module.js';
import { DependenciesModule } from './modules/dependencies/dependencies.module.js';
import { LabelsModule } from './modules/labels/labels.module.js';
import { DemandsModule } from './modules/demands/demands.module.js';
import { RelationsModule } from './modules/relations/relations.module.js';
import { TasksModule } from './modules/tasks/tasks.module.js';
import { TemplatesModule } from './modules/templates/templates.module.js';
import { RightsModule } from './modules/rights/rights.module.js';
import { CalendarModule } from './modules/calendar/calendar.module.js';
import { ScimModule } from './modules/scim/scim.module.js';
import { RitualsModule } from './modules/rituals/rituals.module.js';
import { IterationsModule } from './modules/iterations/iterations.module.js';
import { TimeEntriesModule } from './modules/time-entries/time-entries.module.js';
import { ViewsModule } from './modules/views/views.module.js';
import { WatchesModule } from './modules/watches/watches.module.js';
import { RuleEventsModule } from './modules/rule-events/rule-events.module.js';
import { RulesModule } from './modules/rules/rules.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Secrets } from './platform/config/secrets.js';
import type { Settings } from './platform/config/settings.js';
import type { Connection } from './platform/database/connections/connection.js';
import type { PoolOptions } from './platform/database/connections/data-source.js';
import { DatabaseModule } from './platform/database/database.module.js';
import type { SessionSettings } from './platform/database/connections/session-settings.js';
import type { StandbyOptions } from './platform/database/connections/standby.js';
import { PlatformModule } from './platform/platform.module.js';
import { SCHEMA } from './schema.js';

/** The configuration and connection that the service is built with. */
export interface AppParts {
  settings: Settings;
  secrets: Secrets;
  connection: Connection;
  sessionSettings?: SessionSettings;
}

/** The standby of the settings, with as many connections as the primary. */
const standbyOf = (
  { DATABASE_READ_URL: url, READ_LAG_MS: lagMs }: Settings,
  pool: PoolOptions,
): StandbyOptions | null => (url === undefined ? null : { ...pool, connection: { url }, lagMs });

/** All modules, the lowest layer first. */
@Module({})
export class AppModule {
  static with({ settings, secrets, connection, sessionSettings }: AppParts): DynamicModule {
    const pool: PoolOptions = {
      poolSize: settings.DATABASE_POOL,
      checkoutMs: settings.DATABASE_CHECKOUT_MS,
      sessionSettings,
    };
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(settings, secrets),
        DatabaseModule.with(connection, SCHEMA, pool, {
          direct: settings.DATABASE_DIRECT_URL === undefined ? connection : { url: settings.DATABASE_DIRECT_URL },
          standby: standbyOf(settings, pool),
        }),
        PlatformModule,
        AccessModule,
        HealthEndpointsModule,
        OperationsModule,
        CredentialsModule,
        TokensModule,
        MessagesModule,
        ResourcesModule,
        UsersModule,
        AgentsModule,
        InvitationsModule,
        AuthModule,
        PasskeysModule,
        DomainsModule,
        IdentityProvidersModule,
        StepUpModule,
        TotpModule,
        OrganizationsModule,
        ScimModule,
        OauthModule,
        WatchesModule,
        EndeavoursModule,
        LabelsModule,
        DemandsModule,
        DependenciesModule,
        TasksModule,
        ArtifactsModule,
        CommentsModule,
        ApprovalsModule,
        TemplatesModule,
        RitualsModule,
        CalendarModule,
        RelationsModule,
        DodModule,
        ImportsModule,
        PrivacyModule,
        ActivityModule,
        AuditModule,
        WebhooksModule,
        RightsModule,
        WorkModule,
        NotificationsModule,
        DiffsModule,
        SearchModule,
        IterationsModule,
        TimeEntriesModule,
        ViewsModule,
        RulesModule,
        RuleEventsModule,
        BatchModule,
      ],
    };
  }
}
