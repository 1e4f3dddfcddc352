// Written by `npm run generate` from packages/core/src/errors/codes; not to be edited by hand.
namespace Matchyard
{
    /// <summary>The codes of refusals. Codes are only added, so one that is not here is newer than this package.</summary>
    public static class ErrorCodes
    {
        /// <summary>This package's own: the service gave no answer, or none that it would give, for as long as it was tried.</summary>
        public const string Unreachable = "UNREACHABLE";

        /// <summary>The API key is unknown, malformed or revoked.</summary>
        public const string InvalidApiKey = "INVALID_API_KEY";

        /// <summary>No credential was sent.</summary>
        public const string MissingCredentials = "MISSING_CREDENTIALS";

        /// <summary>The session token is not valid.</summary>
        public const string InvalidSessionToken = "INVALID_SESSION_TOKEN";

        /// <summary>The session has expired.</summary>
        public const string SessionExpired = "SESSION_EXPIRED";

        /// <summary>This kind of credential may not be used here.</summary>
        public const string CredentialNotAllowed = "CREDENTIAL_NOT_ALLOWED";

        /// <summary>The x-player-id header is required.</summary>
        public const string PlayerIdRequired = "PLAYER_ID_REQUIRED";

        /// <summary>The x-player-id header is not valid.</summary>
        public const string InvalidPlayerId = "INVALID_PLAYER_ID";

        /// <summary>The e-mail address, the password or the code is wrong.</summary>
        public const string InvalidLogin = "INVALID_LOGIN";

        /// <summary>An account with this e-mail address exists.</summary>
        public const string EmailTaken = "EMAIL_TAKEN";

        /// <summary>A player token is required.</summary>
        public const string PlayerTokenRequired = "PLAYER_TOKEN_REQUIRED";

        /// <summary>The player token is not valid.</summary>
        public const string InvalidPlayerToken = "INVALID_PLAYER_TOKEN";

        /// <summary>Registration is closed on this installation.</summary>
        public const string RegistrationClosed = "REGISTRATION_CLOSED";

        /// <summary>The machine token is unknown, malformed or revoked.</summary>
        public const string InvalidMachineToken = "INVALID_MACHINE_TOKEN";

        /// <summary>There is no such session.</summary>
        public const string SessionNotFound = "SESSION_NOT_FOUND";

        /// <summary>A code of the second factor is required.</summary>
        public const string SecondFactorRequired = "SECOND_FACTOR_REQUIRED";

        /// <summary>The second factor is not in the state for this call.</summary>
        public const string SecondFactorState = "SECOND_FACTOR_STATE";

        /// <summary>The password or the code is wrong.</summary>
        public const string SecondFactorRefused = "SECOND_FACTOR_REFUSED";

        /// <summary>There is no such server.</summary>
        public const string ServerNotFound = "SERVER_NOT_FOUND";

        /// <summary>The server is not in a state that allows this.</summary>
        public const string InvalidServerState = "INVALID_SERVER_STATE";

        /// <summary>The game server could not be launched.</summary>
        public const string ServerLaunchFailed = "SERVER_LAUNCH_FAILED";

        /// <summary>There is no such machine.</summary>
        public const string MachineNotFound = "MACHINE_NOT_FOUND";

        /// <summary>There is no such build.</summary>
        public const string BuildNotFound = "BUILD_NOT_FOUND";

        /// <summary>No build with this name is ready.</summary>
        public const string BuildNotReady = "BUILD_NOT_READY";

        /// <summary>A live server runs this build.</summary>
        public const string BuildInUse = "BUILD_IN_USE";

        /// <summary>The upload was rejected.</summary>
        public const string UploadRejected = "UPLOAD_REJECTED";

        /// <summary>There is no such lobby.</summary>
        public const string LobbyNotFound = "LOBBY_NOT_FOUND";

        /// <summary>The lobby is full.</summary>
        public const string LobbyFull = "LOBBY_FULL";

        /// <summary>The player is not in the lobby.</summary>
        public const string PlayerNotInLobby = "PLAYER_NOT_IN_LOBBY";

        /// <summary>Only the lobby host may do this.</summary>
        public const string NotHost = "NOT_HOST";

        /// <summary>No lobby has this invite code.</summary>
        public const string InvalidInviteCode = "INVALID_INVITE_CODE";

        /// <summary>The caller may not make this change of the player's state.</summary>
        public const string PlayerStateForbidden = "PLAYER_STATE_FORBIDDEN";

        /// <summary>The lobby is not in a state that allows this.</summary>
        public const string InvalidLobbyState = "INVALID_LOBBY_STATE";

        /// <summary>Players cannot join the lobby in this way now.</summary>
        public const string LobbyNotAccepting = "LOBBY_NOT_ACCEPTING";

        /// <summary>No free invite code was found.</summary>
        public const string InviteCodesExhausted = "INVITE_CODES_EXHAUSTED";

        /// <summary>The player is banned here.</summary>
        public const string PlayerBanned = "PLAYER_BANNED";

        /// <summary>There is no such ban.</summary>
        public const string BanNotFound = "BAN_NOT_FOUND";

        /// <summary>The maximum number of bans is reached.</summary>
        public const string BanLimit = "BAN_LIMIT";

        /// <summary>There is no such queue.</summary>
        public const string QueueNotFound = "QUEUE_NOT_FOUND";

        /// <summary>The queue is disabled.</summary>
        public const string QueueDisabled = "QUEUE_DISABLED";

        /// <summary>A queue with this id exists.</summary>
        public const string QueueExists = "QUEUE_EXISTS";

        /// <summary>The queue still has lobbies.</summary>
        public const string QueueInUse = "QUEUE_IN_USE";

        /// <summary>The queue has no such version in its history.</summary>
        public const string QueueVersionNotFound = "QUEUE_VERSION_NOT_FOUND";

        /// <summary>There is no such rating.</summary>
        public const string RatingNotFound = "RATING_NOT_FOUND";

        /// <summary>A queue has this rating.</summary>
        public const string RatingInUse = "RATING_IN_USE";

        /// <summary>The queue has no matchmaking.</summary>
        public const string MatchmakingNotConfigured = "MATCHMAKING_NOT_CONFIGURED";

        /// <summary>The party is too large for this queue.</summary>
        public const string PartyTooLarge = "PARTY_TOO_LARGE";

        /// <summary>The party can never be matched in this queue.</summary>
        public const string PartyCannotMatch = "PARTY_CANNOT_MATCH";

        /// <summary>There is no such match.</summary>
        public const string MatchNotFound = "MATCH_NOT_FOUND";

        /// <summary>The match is not in a state that allows this.</summary>
        public const string InvalidMatchState = "INVALID_MATCH_STATE";

        /// <summary>No match is proposed to this lobby.</summary>
        public const string NoProposal = "NO_PROPOSAL";

        /// <summary>Another match is proposed to this lobby.</summary>
        public const string ProposalChanged = "PROPOSAL_CHANGED";

        /// <summary>A player may not enter this queue yet.</summary>
        public const string PlayerCoolingDown = "PLAYER_COOLING_DOWN";

        /// <summary>A player is in another match.</summary>
        public const string PlayerInMatch = "PLAYER_IN_MATCH";

        /// <summary>The match has no open seat.</summary>
        public const string MatchFull = "MATCH_FULL";

        /// <summary>No seat is kept for this player.</summary>
        public const string SeatNotFound = "SEAT_NOT_FOUND";

        /// <summary>The match already has another result.</summary>
        public const string ResultExists = "RESULT_EXISTS";

        /// <summary>A player searches in too many lobbies.</summary>
        public const string TooManySearches = "TOO_MANY_SEARCHES";

        /// <summary>The match has no request for players.</summary>
        public const string BackfillNotFound = "BACKFILL_NOT_FOUND";

        /// <summary>The plan does not allow this.</summary>
        public const string PlanLimitExceeded = "PLAN_LIMIT_EXCEEDED";

        /// <summary>A payment method is required.</summary>
        public const string PaymentMethodRequired = "PAYMENT_METHOD_REQUIRED";

        /// <summary>The plan cannot be changed this way.</summary>
        public const string InvalidPlanChange = "INVALID_PLAN_CHANGE";

        /// <summary>There is no such project.</summary>
        public const string ProjectNotFound = "PROJECT_NOT_FOUND";

        /// <summary>Servers still run in the project.</summary>
        public const string ProjectHasRunningServers = "PROJECT_HAS_RUNNING_SERVERS";

        /// <summary>Your role in the project does not allow this.</summary>
        public const string RoleNotAllowed = "ROLE_NOT_ALLOWED";

        /// <summary>There is no such member.</summary>
        public const string MemberNotFound = "MEMBER_NOT_FOUND";

        /// <summary>There is no such invitation.</summary>
        public const string InvitationNotFound = "INVITATION_NOT_FOUND";

        /// <summary>There is no such open problem.</summary>
        public const string ProblemNotFound = "PROBLEM_NOT_FOUND";

        /// <summary>The request is not valid.</summary>
        public const string ValidationFailed = "VALIDATION_FAILED";

        /// <summary>There is no such route or delivery.</summary>
        public const string NotFound = "NOT_FOUND";

        /// <summary>The route does not allow this method.</summary>
        public const string MethodNotAllowed = "METHOD_NOT_ALLOWED";

        /// <summary>Too many requests.</summary>
        public const string RateLimited = "RATE_LIMITED";

        /// <summary>The payload is too large.</summary>
        public const string PayloadTooLarge = "PAYLOAD_TOO_LARGE";

        /// <summary>The content type is not supported.</summary>
        public const string UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE";

        /// <summary>A part of the service is unavailable.</summary>
        public const string Unavailable = "UNAVAILABLE";

        /// <summary>Another request changed this at the same time.</summary>
        public const string Conflict = "CONFLICT";

        /// <summary>Something went wrong on our side.</summary>
        public const string Internal = "INTERNAL";

        /// <summary>The idempotency key was used with another request.</summary>
        public const string IdempotencyMismatch = "IDEMPOTENCY_MISMATCH";

        /// <summary>There is no such key.</summary>
        public const string KeyNotFound = "KEY_NOT_FOUND";

        /// <summary>The key is already revoked.</summary>
        public const string KeyRevoked = "KEY_REVOKED";

        /// <summary>There is no such webhook.</summary>
        public const string WebhookNotFound = "WEBHOOK_NOT_FOUND";

        /// <summary>The service may not call this address.</summary>
        public const string WebhookAddressRefused = "WEBHOOK_ADDRESS_REFUSED";

        /// <summary>The project has the maximum number of webhooks.</summary>
        public const string WebhookLimit = "WEBHOOK_LIMIT";

        /// <summary>There is no such secret.</summary>
        public const string SecretNotFound = "SECRET_NOT_FOUND";

        /// <summary>The project has the maximum number of secrets.</summary>
        public const string SecretLimit = "SECRET_LIMIT";
    }
}
