using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Matchyard;

public static class RatingChecks
{
    private const string Best = "{\"player_id\":\"ann\",\"rating_id\":\"elo\",\"season\":null,\"mu\":26.5,\"sigma\":8,\"value\":1520,\"matches\":3,\"placed\":true,\"rank\":1,\"updated_at\":\"2026-01-01T00:00:00.000Z\"}";
    private const string Placing = "{\"player_id\":\"bob\",\"rating_id\":\"elo\",\"season\":\"s 1\",\"mu\":25,\"sigma\":8.3,\"value\":1500,\"matches\":1,\"placed\":false,\"rank\":null,\"updated_at\":\"2026-01-01T00:00:00.000Z\"}";

    public static void AddTo(List<KeyValuePair<string, Func<Task>>> all)
    {
        all.Add("standings and leaderboards are read by player, page and neighbours, by default for the client's player", async () =>
        {
            var fake = new FakeTransport(_ => "{\"total\":2,\"data\":[" + Best + "," + Placing + "],\"next_cursor\":\"c2\"}");
            using (var client = fake.Client())
            {
                var mine = await client.Ratings.Of();
                await client.Ratings.Of("b/b");
                var page = await client.Ratings.Leaderboard("elo");
                await client.Ratings.Leaderboard("elo", new LeaderboardQuery { Season = "", Placement = true, Cursor = page.NextCursor, Limit = 20 });
                await client.Ratings.Around("elo");
                await client.Ratings.Around("elo", "bob", "s 1");
                Checks.Same("ann elo  26.5 8 1520 3 True 1 2026", Text(mine[0]));
                Checks.Same("bob elo s 1 25 8.3 1500 1 False  2026", Text(mine[1]));
                Checks.Same("2 2 c2", page.Total + " " + page.Standings.Count + " " + page.NextCursor);
            }
            var paths = fake.Calls.Select(call => call.Method + " " + call.Url.PathAndQuery.Replace("/below/v1/", "")).ToArray();
            Checks.Same("GET players/ann/ratings?limit=100", paths[0]);
            Checks.Same("GET players/b%2Fb/ratings?limit=100", paths[1]);
            Checks.Same("GET ratings/elo/leaderboard", paths[2]);
            Checks.Same("GET ratings/elo/leaderboard?season=&placement=true&cursor=c2&limit=20", paths[3]);
            Checks.Same("GET ratings/elo/leaderboard?around=ann", paths[4]);
            Checks.Same("GET ratings/elo/leaderboard?season=s%201&around=bob", paths[5]);
        });
    }

    private static string Text(Standing one)
    {
        var culture = System.Globalization.CultureInfo.InvariantCulture;
        return string.Format(culture, "{0} {1} {2} {3} {4} {5} {6} {7} {8} {9}", one.PlayerId, one.RatingId, one.Season, one.Mu, one.Sigma, one.Value, one.Matches, one.Placed, one.Rank, one.UpdatedAt.Year);
    }
}
