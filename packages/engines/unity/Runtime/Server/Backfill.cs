using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>Whom a match asks for.</summary>
    public sealed class BackfillOptions
    {
        /// <summary>How many seats of which team; every open seat unless said.</summary>
        public IEnumerable<KeyValuePair<string, int>> Teams { get; set; }

        /// <summary>States by which the queue's rules judge those who play, by player: a rating that changed.</summary>
        public IEnumerable<KeyValuePair<string, JsonObject>> States { get; set; }

        /// <summary>How long to search, 5 to 3,600 seconds; what the queue says unless said.</summary>
        public int? TimeoutSeconds { get; set; }

        internal JsonObject ToJson()
        {
            var body = new JsonObject();
            if (Teams != null)
            {
                var teams = new List<object>();
                foreach (var team in Teams) teams.Add(new JsonObject { { "name", team.Key }, { "open", team.Value } });
                body.Add("teams", teams);
            }
            if (States != null)
            {
                var players = new List<object>();
                foreach (var state in States) players.Add(new JsonObject { { "player_id", state.Key }, { "state", state.Value } });
                body.Add("players", players);
            }
            if (TimeoutSeconds != null) body.Add("timeout", TimeoutSeconds.Value);
            return body;
        }
    }

    /// <summary>What a match asks for.</summary>
    public sealed class Backfill
    {
        internal Backfill(JsonObject raw)
        {
            MatchId = raw.GetString("match_id") ?? "";
            CreatedAt = Wire.TimeOf(raw.GetString("created_at"));
            ExpiresAt = Wire.TimeOf(raw.GetString("expires_at"));
            var open = new Dictionary<string, int>(StringComparer.Ordinal);
            foreach (var team in Wire.ListOf(raw.GetArray("teams"), one => one)) open[team.GetString("name") ?? ""] = (int)(team.GetLong("open") ?? 0);
            Open = open;
        }

        /// <summary>The match.</summary>
        public string MatchId { get; private set; }

        /// <summary>The seats that are still to be filled, by team.</summary>
        public IReadOnlyDictionary<string, int> Open { get; private set; }

        /// <summary>When the match first asked; a request that replaces another keeps its age.</summary>
        public DateTimeOffset CreatedAt { get; private set; }

        /// <summary>When it ends by itself.</summary>
        public DateTimeOffset ExpiresAt { get; private set; }
    }
}
