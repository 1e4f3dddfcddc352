using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Credentials of a player: the client key, with a player id or a player token.</summary>
    internal sealed class PlayerCaller : ICaller
    {
        /// <summary>
        /// Seconds before its expiry at which a token is renewed. They are longer than a long poll, because the service
        /// ends a long poll when its token expires.
        /// </summary>
        private const int RenewBeforeSeconds = 60;

        private readonly string clientKey;
        private readonly Func<CancellationToken, Task<string>> tokens;
        private string player;
        private string token;
        private DateTime renewAt;

        public PlayerCaller(MatchyardOptions options)
        {
            clientKey = Required(options.ClientKey, "ClientKey");
            tokens = options.PlayerToken;
            player = options.Player;
            if (tokens == null) Required(player, "Player");
        }

        /// <summary>Id of the player; null before the first token.</summary>
        public string Player
        {
            get { return player; }
        }

        public async Task Identify(HttpCall call, bool isAnonymous, CancellationToken cancellation)
        {
            call.Headers.Add(new KeyValuePair<string, string>("api-key", clientKey));
            if (tokens != null)
            {
                if (token == null || DateTime.UtcNow >= renewAt) await Renew(cancellation);
                call.Headers.Add(new KeyValuePair<string, string>("authorization", "Bearer " + token));
            }
            else if (!isAnonymous)
            {
                call.Headers.Add(new KeyValuePair<string, string>("x-player-id", player));
            }
        }

        public bool HasBetterThan(MatchyardException refusal)
        {
            if (tokens == null || !(refusal.Is(ErrorCodes.InvalidPlayerToken) || refusal.Is(ErrorCodes.PlayerTokenRequired))) return false;
            token = null;
            return true;
        }

        /// <summary>Returns the id of the player; may fetch a token first.</summary>
        public async Task<string> WhoPlays(CancellationToken cancellation)
        {
            if (player == null) await Renew(cancellation);
            return player;
        }

        private async Task Renew(CancellationToken cancellation)
        {
            var fetched = await tokens(cancellation);
            if (string.IsNullOrEmpty(fetched)) throw new InvalidOperationException("PlayerToken gave no token");
            // Only the expiry and the player are read from the token here; the service checks the signature.
            var claims = ClaimsOf(fetched);
            var seconds = claims == null ? null : claims.GetDouble("exp");
            // A token without a valid expiry is used until the service refuses it.
            var isUsable = seconds > 0 && seconds < 253402300799;
            renewAt = isUsable ? new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(seconds.Value - RenewBeforeSeconds) : DateTime.MaxValue;
            if (player == null) player = claims == null ? null : claims.GetString("sub");
            if (player == null) throw new InvalidOperationException("the player token names nobody in \"sub\": say Player as well");
            token = fetched;
        }

        private static JsonObject ClaimsOf(string jwt)
        {
            var parts = jwt.Split('.');
            var bytes = parts.Length == 3 ? Base64Url.Read(parts[1]) : null;
            if (bytes == null) return null;
            try
            {
                return JsonText.Parse(new UTF8Encoding(false, true).GetString(bytes)) as JsonObject;
            }
            catch (Exception error) when (error is FormatException || error is ArgumentException)
            {
                return null;
            }
        }

        private static string Required(string value, string name)
        {
            if (string.IsNullOrEmpty(value)) throw new ArgumentException(name + " is missing", name);
            foreach (var unit in value)
            {
                // .NET's HTTP clients send only printable ASCII in headers.
                if (unit < ' ' || unit > '~') throw new ArgumentException(name + " can hold ASCII only; players with other names need a PlayerToken", name);
            }
            return value;
        }
    }
}
