using System;
using System.Text;
using Matchyard;

/// <summary>Reads JSON texts, one per line in base64 of UTF-16. Writes a line for each: the parsed value as JSON, or the error.</summary>
public static class JsonFilter
{
    public static int Run()
    {
        for (var line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
        {
            // Copied as bytes: an encoding would replace half a surrogate pair, which must arrive unchanged.
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
