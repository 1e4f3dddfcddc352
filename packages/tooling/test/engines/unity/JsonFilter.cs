using System;
using System.Text;
using Matchyard;

/// <summary>Reads texts, one a line in base64 of UTF-16, and answers each as it understood it, or why it did not.</summary>
public static class JsonFilter
{
    public static int Run()
    {
        for (var line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
        {
            // Not by an encoding, which would mend half a surrogate pair: it is to arrive as it was sent.
            var bytes = Convert.FromBase64String(line);
            var units = new char[bytes.Length / 2];
            Buffer.BlockCopy(bytes, 0, units, 0, units.Length * 2);
            var text = new string(units);
            try
            {
                Console.WriteLine("read " + Convert.ToBase64String(Encoding.UTF8.GetBytes(JsonText.Write(JsonText.Parse(text)))));
            }
            catch (JsonFormatException error)
            {
                Console.WriteLine("refused " + error.Message);
            }
        }
        return 0;
    }
}
