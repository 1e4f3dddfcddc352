using System;
using System.Security.Cryptography;
using System.Text;

namespace Matchyard
{
    /// <summary>Player that a join token admits.</summary>
    public sealed class Joiner
    {
        internal Joiner(string playerId, string team, string role)
        {
            PlayerId = playerId;
            Team = team;
            Role = role;
        }

        /// <summary>Id of the player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Name of the team.</summary>
        public string Team { get; private set; }

        /// <summary>Role in the team; null when the queue's teams have no roles.</summary>
        public string Role { get; private set; }
    }

    /// <summary>Reason why a join token is refused.</summary>
    public enum JoinRefusal
    {
        /// <summary>The token is valid.</summary>
        None,

        /// <summary>The text is no join token.</summary>
        Malformed,

        /// <summary>The token was not signed for this match and this server.</summary>
        Forged,

        /// <summary>The token has expired after five minutes (plus a minute for different clocks).</summary>
        Expired,

        /// <summary>The token's player has left the match since the token was issued.</summary>
        Left,
    }

    /// <summary>A join token was refused.</summary>
    public sealed class JoinTokenException : Exception
    {
        internal JoinTokenException(JoinRefusal refusal) : base("the join token lets nobody in: " + refusal)
        {
            Refusal = refusal;
        }

        /// <summary>Reason of the refusal.</summary>
        public JoinRefusal Refusal { get; private set; }
    }

    /// <summary>
    /// Checks join tokens offline. They are JWTs (HS256), signed with a key that belongs to this match only.
    /// </summary>
    internal sealed class JoinTokens
    {
        private const int LongestToken = 8192;
        private const int LeewaySeconds = 60;
        private const int KeyBytes = 32;
        private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);

        private readonly byte[] key;
        private readonly string matchId;
        private readonly string instanceId;
        private readonly Departures departures;

        public JoinTokens(JsonObject file, Departures departures)
        {
            var text = file.GetString("join_token_key");
            key = text == null ? null : Base64Url.Read(text);
            if (text != null && (key == null || key.Length < KeyBytes)) throw new InvalidOperationException("join_token_key is no key");
            matchId = file.GetString("match_id");
            instanceId = file.GetString("instance_id");
            this.departures = departures;
        }

        public JoinRefusal Judge(string token, out Joiner joiner)
        {
            joiner = null;
            if (token == null || token.Length > LongestToken) return JoinRefusal.Malformed;
            var parts = token.Split('.');
            if (parts.Length != 3) return JoinRefusal.Malformed;
            var header = ObjectOf(parts[0]);
            var signature = Base64Url.Read(parts[2]);
            if (header == null || signature == null) return JoinRefusal.Malformed;
            // Only HS256 is accepted, whatever the token's header says. Tokens with another algorithm or with critical
            // extensions are not from the service.
            if (header.GetString("alg") != "HS256" || header.ContainsKey("crit")) return JoinRefusal.Forged;
            if (key == null || !IsSigned(parts[0] + "." + parts[1], signature)) return JoinRefusal.Forged;
            var claims = ObjectOf(parts[1]);
            var playerId = claims == null ? null : claims.GetString("sub");
            var expires = claims == null ? null : claims.GetDouble("exp");
            if (string.IsNullOrEmpty(playerId) || expires == null) return JoinRefusal.Malformed;
            var instance = claims.GetString("instance_id");
            if (matchId == null || claims.GetString("aud") != matchId || (instance != null && instance != instanceId)) return JoinRefusal.Forged;
            var now = (DateTime.UtcNow - Epoch).TotalSeconds;
            if (expires.Value + LeewaySeconds <= now) return JoinRefusal.Expired;
            var issued = Math.Min(Math.Max(claims.GetDouble("iat") ?? 0, 0), now);
            // A player who is not on the roster yet is accepted, because the update of the roster may still arrive. A
            // player who left is refused with an old token.
            if (departures.HasLeftSince(playerId, Epoch.AddSeconds(issued))) return JoinRefusal.Left;
            joiner = new Joiner(playerId, claims.GetString("team") ?? "", claims.GetString("role"));
            return JoinRefusal.None;
        }

        private bool IsSigned(string text, byte[] signature)
        {
            byte[] expected;
            using (var hmac = new HMACSHA256(key)) expected = hmac.ComputeHash(Encoding.UTF8.GetBytes(text));
            if (signature.Length != expected.Length) return false;
            // The comparison takes the same time for all inputs.
            var difference = 0;
            for (var i = 0; i < expected.Length; i++) difference |= expected[i] ^ signature[i];
            return difference == 0;
        }

        private static JsonObject ObjectOf(string part)
        {
            var bytes = Base64Url.Read(part);
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
    }
}
