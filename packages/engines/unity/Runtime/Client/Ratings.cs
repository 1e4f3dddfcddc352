using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Part of a leaderboard that a game shows.</summary>
    public sealed class LeaderboardQuery
    {
        /// <summary>Name of a season; an empty name means before the first season. By default the present season.</summary>
        public string Season { get; set; }

        /// <summary>Whether the players in placement are listed, in place of the others.</summary>
        public bool Placement { get; set; }

        /// <summary>Cursor: <see cref="LeaderboardPage.NextCursor"/> of the page before. By default the first page.</summary>
        public string Cursor { get; set; }

        /// <summary>Number of players on the page, 1 to 100; by default 50.</summary>
        public int? Limit { get; set; }
    }

    /// <summary>Page of a leaderboard, the best player first.</summary>
    public sealed class LeaderboardPage
    {
        internal LeaderboardPage(JsonObject raw)
        {
            Total = raw.GetLong("total") ?? 0;
            Standings = Wire.ListOf(raw.GetArray("data"), one => new Standing(one));
            NextCursor = raw.GetString("next_cursor");
        }

        /// <summary>Number of all players on the leaderboard.</summary>
        public long Total { get; private set; }

        /// <summary>Standings of the page.</summary>
        public IReadOnlyList<Standing> Standings { get; private set; }

        /// <summary>Cursor of the next page; null on the last one.</summary>
        public string NextCursor { get; private set; }
    }

    /// <summary>Standing of a player in a rating.</summary>
    public sealed class Standing
    {
        internal Standing(JsonObject raw)
        {
            PlayerId = raw.GetString("player_id") ?? "";
            RatingId = raw.GetString("rating_id") ?? "";
            Season = raw.GetString("season");
            Mu = raw.GetDouble("mu") ?? 0;
            Sigma = raw.GetDouble("sigma") ?? 0;
            Value = raw.GetDouble("value") ?? 0;
            Matches = raw.GetLong("matches") ?? 0;
            Placed = raw.GetBool("placed") ?? false;
            Rank = raw.GetLong("rank");
            UpdatedAt = Wire.TimeOf(raw.GetString("updated_at"));
        }

        /// <summary>Id of the player.</summary>
        public string PlayerId { get; private set; }

        /// <summary>Id of the rating.</summary>
        public string RatingId { get; private set; }

        /// <summary>Season of the standing; null before the first one.</summary>
        public string Season { get; private set; }

        /// <summary>Estimate of the skill.</summary>
        public double Mu { get; private set; }

        /// <summary>Uncertainty of the estimate.</summary>
        public double Sigma { get; private set; }

        /// <summary>Displayed number.</summary>
        public double Value { get; private set; }

        /// <summary>Counted matches of the season.</summary>
        public long Matches { get; private set; }

        /// <summary>Whether the player has played enough matches for the leaderboard.</summary>
        public bool Placed { get; private set; }

        /// <summary>Place on the leaderboard, from 1; null beyond the first 10,000 places and in placement.</summary>
        public long? Rank { get; private set; }

        /// <summary>Time of the last change.</summary>
        public DateTimeOffset UpdatedAt { get; private set; }
    }

    /// <summary>Reads ratings of players, and leaderboards.</summary>
    public sealed class Ratings
    {
        /// <summary>Maximum ratings of a project, and the longest page: one page has all standings of a player.</summary>
        private const int AllRatings = 100;

        private readonly ServiceCalls calls;
        private readonly PlayerCaller caller;

        internal Ratings(ServiceCalls calls, PlayerCaller caller)
        {
            this.calls = calls;
            this.caller = caller;
        }

        /// <summary>
        /// Returns the standings of a player in the present seasons, one for each rating with a counted match; by default those of this
        /// client's player.
        /// </summary>
        public async Task<IReadOnlyList<Standing>> Of(string playerId = null, CancellationToken cancellation = default(CancellationToken))
        {
            var player = playerId ?? await caller.WhoPlays(cancellation);
            var call = new ServiceCall("GET", "players", player, "ratings").With("limit", AllRatings);
            return (await Page(call, cancellation)).Standings;
        }

        /// <summary>Returns a page of the leaderboard of a rating. Errors: <c>RATING_NOT_FOUND VALIDATION_FAILED</c>.</summary>
        public Task<LeaderboardPage> Leaderboard(string ratingId, LeaderboardQuery query = null, CancellationToken cancellation = default(CancellationToken))
        {
            var wanted = query ?? new LeaderboardQuery();
            var call = Board(ratingId).With("season", wanted.Season).With("placement", wanted.Placement ? "true" : null);
            return Page(call.With("cursor", wanted.Cursor).With("limit", wanted.Limit), cancellation);
        }

        /// <summary>
        /// Returns up to ten players on either side of a player, with this player; nobody if the leaderboard does not list the player. By
        /// default around this client's player, in the present season. Errors: <c>RATING_NOT_FOUND VALIDATION_FAILED</c>.
        /// </summary>
        public async Task<IReadOnlyList<Standing>> Around(string ratingId, string playerId = null, string season = null, CancellationToken cancellation = default(CancellationToken))
        {
            var player = playerId ?? await caller.WhoPlays(cancellation);
            return (await Page(Board(ratingId).With("season", season).With("around", player), cancellation)).Standings;
        }

        private static ServiceCall Board(string ratingId)
        {
            return new ServiceCall("GET", "ratings", ratingId, "leaderboard");
        }

        private async Task<LeaderboardPage> Page(ServiceCall call, CancellationToken cancellation)
        {
            return new LeaderboardPage(await calls.Send(call, cancellation) ?? new JsonObject());
        }
    }
}
