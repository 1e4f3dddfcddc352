using System;
using System.Collections.Generic;
using System.Threading.Tasks;

/// <summary>Checks of the package that need no service. Each prints one line: "ok" or "failed", with its name and the error.</summary>
public static class Checks
{
    public static async Task<int> Run(string scratch)
    {
        var all = new List<KeyValuePair<string, Func<Task>>>();
        CallChecks.AddTo(all);
        LobbyChecks.AddTo(all);
        PlayChecks.AddTo(all);
        RatingChecks.AddTo(all);
        RegionChecks.AddTo(all);
        ServerChecks.AddTo(all, scratch);
        JsonChecks.AddTo(all);
        foreach (var check in all)
        {
            try
            {
                await check.Value();
                Console.WriteLine("ok " + check.Key);
            }
            catch (Exception error)
            {
                Console.WriteLine("failed " + check.Key + ": " + error.ToString().Replace('\n', ' '));
            }
        }
        return 0;
    }

    public static void Add(this List<KeyValuePair<string, Func<Task>>> all, string name, Func<Task> check)
    {
        all.Add(new KeyValuePair<string, Func<Task>>(name, check));
    }

    public static void Add(this List<KeyValuePair<string, Func<Task>>> all, string name, Action check)
    {
        all.Add(name, () =>
        {
            check();
            return Task.FromResult(true);
        });
    }

    public static void Same(object expected, object found)
    {
        if (!Equals(expected, found)) throw new Exception("expected <" + expected + ">, found <" + found + ">");
    }

    public static void True(bool holds, string what)
    {
        if (!holds) throw new Exception(what);
    }

    public static T Throws<T>(Action action) where T : Exception
    {
        try
        {
            action();
        }
        catch (T error)
        {
            return error;
        }
        throw new Exception("no " + typeof(T).Name);
    }

    public static async Task<T> Throws<T>(Func<Task> action) where T : Exception
    {
        try
        {
            await action();
        }
        catch (T error)
        {
            return error;
        }
        throw new Exception("no " + typeof(T).Name);
    }
}
