using System;
using System.Runtime.InteropServices;
using System.Threading.Tasks;

/// <summary>The programs of the tests in one executable, which starts fast. The first argument names the program.</summary>
public static class Programs
{
    public static int Main(string[] arguments)
    {
        var rest = new string[arguments.Length - 1];
        Array.Copy(arguments, 1, rest, 0, rest.Length);
        switch (arguments[0])
        {
            case "checks": return Checks.Run(rest[0]).GetAwaiter().GetResult();
            case "json": return JsonFilter.Run();
            case "arena": return EndAtOnce(Arena.Run().GetAwaiter().GetResult());
            case "player": return ScriptedPlayer.Run(rest).GetAwaiter().GetResult();
            case "readme-server":
                DuelServer.Run().GetAwaiter().GetResult();
                return 0;
            case "readme": return Readme(rest).GetAwaiter().GetResult();
            default: return 2;
        }
    }

    /// <summary>
    /// Ends the process without the shutdown of Mono, which sometimes waits for ever on a busy machine, after the last line of managed code.
    /// </summary>
    private static int EndAtOnce(int code)
    {
        Console.Out.Flush();
        Exit(code);
        return code;
    }

    [DllImport("libc", EntryPoint = "_exit")]
    private static extern void Exit(int code);

    private static async Task<int> Readme(string[] players)
    {
        var found = await Task.WhenAll(Array.ConvertAll(players, player => Duel.Connect(player, 1500)));
        for (var i = 0; i < players.Length; i++)
        {
            using (var game = new Udp(found[i])) Console.WriteLine(players[i] + " " + game.Ask("join " + found[i].JoinToken));
        }
        return 0;
    }
}
