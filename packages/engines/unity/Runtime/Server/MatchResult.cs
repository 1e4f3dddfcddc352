using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>
    /// The result of a match, as its game server reports it: a rank for every team of the match, or a score for every team.
    /// </summary>
    public sealed class MatchResult
    {
        private readonly List<object> teams = new List<object>();
        private readonly List<object> players = new List<object>();

        /// <summary>Makes a result without teams, of a match that was played to its end.</summary>
        public MatchResult()
        {
            Completed = true;
        }

        /// <summary>Whether the match was played to its end; true by default. Otherwise the result counts for nothing.</summary>
        public bool Completed { get; set; }

        /// <summary>Whether the match ends with this result, and this server with it.</summary>
        public bool End { get; set; }

        /// <summary>Adds a team with its place, from 1. Teams may share a place.</summary>
        public MatchResult Rank(string team, int rank, double? score = null)
        {
            return Add(teams, new JsonObject { { "name", team }, { "rank", rank } }, score);
        }

        /// <summary>Adds a team with its score; a higher score is better.</summary>
        public MatchResult Score(string team, double score)
        {
            return Add(teams, new JsonObject { { "name", team } }, score);
        }

        /// <summary>
        /// Adds a player of the match, who may have left. The service shows <paramref name="stats"/> (at most 2 kB) to server keys only.
        /// </summary>
        public MatchResult Player(string playerId, double? score = null, JsonObject stats = null, bool left = false)
        {
            var player = new JsonObject { { "player_id", playerId } };
            if (stats != null) player.Add("stats", stats);
            if (left) player.Add("left", true);
            return Add(players, player, score);
        }

        internal JsonObject ToJson()
        {
            return new JsonObject { { "teams", teams }, { "players", players }, { "completed", Completed }, { "end", End } };
        }

        private MatchResult Add(List<object> list, JsonObject entry, double? score)
        {
            if (score != null) entry.Add("score", score.Value);
            list.Add(entry);
            return this;
        }
    }
}
