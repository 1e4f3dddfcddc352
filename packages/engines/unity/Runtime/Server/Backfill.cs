using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>Options of a request for newcomers.</summary>
    public sealed class BackfillOptions
    {
        /// <summary>Number of seats by team; every open seat by default.</summary>
        public IEnumerable<KeyValuePair<string, int>> Teams { get; set; }

        /// <summary>New states of present players, for the queue's rules, for example a new rating.</summary>
        public IEnumerable<KeyValuePair<string, JsonObject>> States { get; set; }

        /// <summary>Duration of the search, 5 to 3,600 seconds; the queue's value by default.</summary>
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

    /// <summary>A request of a match for newcomers.</summary>
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

        /// <summary>Id of the match.</summary>
        public string MatchId { get; private set; }

        /// <summary>Number of open seats by team.</summary>
        public IReadOnlyDictionary<string, int> Open { get; private set; }

        /// <summary>
        /// Time of the match's first request for newcomers. A request that replaces it keeps this time.
        /// </summary>
        public DateTimeOffset CreatedAt { get; private set; }

        /// <summary>Time at which the request expires.</summary>
        public DateTimeOffset ExpiresAt { get; private set; }
    }
}
