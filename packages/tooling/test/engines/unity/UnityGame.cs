using System;
using System.Collections;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;
using UnityEngine;

/// <summary>Two players of a game written with coroutines, and a third player who cancels the search.</summary>
public static class UnityGame
{
    private static int waiting = 3;

    public static int Main(string[] arguments)
    {
        SynchronizationContext.SetSynchronizationContext(new Player());
        new MonoBehaviour().StartCoroutine(Search(arguments));
        foreach (var player in new[] { "uma", "udo" }) new MonoBehaviour().StartCoroutine(Play(arguments, player));
        while (waiting > 0) Player.Frame();
        return 0;
    }

    private static IEnumerator Play(string[] arguments, string player)
    {
        var main = Thread.CurrentThread;
        var matchyard = new MatchyardClient(Options(arguments, player));
        Match found = null;
        // Unity runs a nested coroutine by itself when it is yielded. The stub does not, so the loop steps through it.
        for (var playing = matchyard.Play("duel").AsCoroutine(match => found = match, Fail); playing.MoveNext();) yield return null;
        if (Thread.CurrentThread != main) throw new InvalidOperationException("not on the main thread");
        using (var game = new Udp(found.Endpoint())) Console.WriteLine(player + " " + game.Ask("join " + found.Endpoint().JoinToken));
        for (var leaving = found.Lobby.Leave().AsCoroutine(null, Fail); leaving.MoveNext();) yield return null;
        matchyard.Dispose();
        waiting--;
    }

    private static IEnumerator Search(string[] arguments)
    {
        var matchyard = new MatchyardClient(Options(arguments, "ute"));
        var cancel = new CancellationTokenSource();
        var isOver = false;
        Action<Exception> onFailed = error =>
        {
            isOver = true;
            Console.WriteLine(error is OperationCanceledException ? "search cancelled" : "search failed: " + error);
        };
        // The search finds no match, because no other player is in this queue.
        var searching = matchyard.Play("arena", new PlayOptions { State = new JsonObject { { "mmr", 1 } } }, cancel.Token).AsCoroutine(_ => { }, onFailed);
        var frames = 0;
        while (searching.MoveNext() && !isOver)
        {
            if (++frames == 100) cancel.Cancel();
            yield return null;
        }
        matchyard.Dispose();
        waiting--;
    }

    private static MatchyardOptions Options(string[] arguments, string player)
    {
        return new MatchyardOptions { BaseUrl = arguments[0], ClientKey = arguments[1], Player = player };
    }

    private static void Fail(Exception error)
    {
        Console.WriteLine("failed: " + error);
        Environment.Exit(1);
    }
}
